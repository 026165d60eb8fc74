package tree

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"postern/gateway/confine/secrets"
	"postern/gateway/guard"
)

func TestAliases(t *testing.T) {
	const table = `22 27 0:21 / /proc rw - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
42 27 254:0 /home /mnt/all\040homes rw shared:1 - ext4 /dev/vda rw
43 27 254:0 /home/ada/.ssh/deep /srv/deep rw - ext4 /dev/vda rw
44 27 254:1 / /home/ada/.ssh/disk rw - ext4 /dev/vdb rw
45 27 254:1 /part /srv/part rw - ext4 /dev/vdb rw
46 27 254:2 / /home/ada/.ssh2 rw - ext4 /dev/vdc rw
47 27 254:2 / /srv/other rw - ext4 /dev/vdc rw
`
	got := aliases("/home/ada/.ssh", mounts(table))
	slices.Sort(got)
	want := []string{"/home/ada/.ssh", "/home/ada/.ssh/disk", "/mnt/all homes/ada/.ssh", "/srv/deep", "/srv/part"}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestListeners(t *testing.T) {
	got := listeners("Num       RefCount Protocol Flags    Type St Inode Path\n" +
		"0000000000000000: 00000002 00000000 00010000 0001 01  4488 /run/a b.sock\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 03   124\n" +
		"0000000000000000: 00000002 00000000 00000000 0002 01  4485 @abstract /x\n" +
		"0000000000000000: 00000002 00000000 00010000 0001 01  4488 /run/a b.sock\n")
	if !slices.Equal(got, []string{"/run/a b.sock"}) {
		t.Errorf("%q", got)
	}
}

// A tree that may be written cannot have a secret left out.
func TestASecretInWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	d := disk{scratch: dir + "/state/scratch/s"}
	p := guard.Profile{Read: []string{"/"}, Mask: []string{dir + "/home/.ssh"}, Write: []string{dir + "/home"}}
	tree, why := rules(p, "/bin/true", d, "", "")
	if why == "" {
		_, why = plan(tree, d)
	}
	if why != WriteOverSecret {
		t.Errorf("%q", why)
	}
}

// Where a secret place is seen twice it is masked twice, and its files' links are
// looked for once: a second look would find each of them again.
func TestAliasesAreMaskedAndNotLookedThrough(t *testing.T) {
	dir := t.TempDir()
	for _, place := range []string{"/home/.ssh", "/again/.ssh", "/srv"} {
		if err := os.MkdirAll(dir+place, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []string{"/home/.ssh/id", "/again/.ssh/id"} {
		if err := os.WriteFile(dir+place, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := fmt.Sprintf("27 1 254:0 / / rw - ext4 /dev/vda rw\n42 27 254:0 %s/home %[1]s/again rw - ext4 /dev/vda rw\n", dir)
	p := guard.Profile{Read: []string{"/"}, Mask: []string{dir + "/home/.ssh"}}
	if err := os.Link(dir+"/again/.ssh/id", dir+"/srv/other"); err != nil {
		t.Fatal(err)
	}
	tree, why := rules(p, "", disk{}, table, "")
	if why != "" {
		t.Fatalf("a link beside the alias: %q", why)
	}
	steps, _ := plan(tree, disk{})
	for _, place := range []string{"/home/.ssh", "/again/.ssh"} {
		if slices.ContainsFunc(steps, func(s Step) bool { return s.Does != MakeDirectory && secrets.Within(dir+place, s.Place) }) {
			t.Errorf("%s is shown", place)
		}
	}
	if err := os.Link(dir+"/home/.ssh/id", dir+"/srv/same"); err != nil {
		t.Fatal(err)
	}
	if _, why := rules(p, "", disk{}, table, ""); why != SecretLinked {
		t.Errorf("a link beside the place: %q", why)
	}
}
