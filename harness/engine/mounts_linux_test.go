package engine

import (
	"slices"
	"strings"
	"testing"
)

const table = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
43 27 254:0 /a /tmp/e rw,relatime shared:2 - ext4 /dev/vda rw
44 43 0:40 / /tmp/e/r/merged rw master:3 shared:4 - overlay overlay rw,lowerdir=/x - y
45 27 0:41 / /tmp/e\040b rw - tmpfs tmpfs rw
46 27 0:42 / /tmp/ef rw - cgroup cgroup rw,pids
47 43 0:43 / /tmp/e/x\134y rw - nsfs nsfs rw
`

func TestMountsBelow(t *testing.T) {
	all, err := mounts(table)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := below(all, "/tmp/e"), []string{`/tmp/e/x\y`, "/tmp/e/r/merged", "/tmp/e"}; !slices.Equal(got, want) {
		t.Errorf("below /tmp/e: %q", got)
	}
	if got := below(all, "/tmp/e b"); !slices.Equal(got, []string{"/tmp/e b"}) {
		t.Errorf("below a path with a space: %q", got)
	}
	if all[4].kind != "cgroup" || all[2].kind != "overlay" {
		t.Errorf("kinds of file system: %+v", all)
	}
}

func TestMountsRefuses(t *testing.T) {
	for _, bad := range []string{"27 1 254:0 / /\n", "27 1 254:0 / / rw -\n", `1 1 1:1 / /\04 rw - a b` + "\n", `1 1 1:1 / /\08x rw - a b` + "\n", `1 1 1:1 / /\777 rw - a b` + "\n"} {
		if all, err := mounts(bad); err == nil {
			t.Errorf("%q was read as %v", bad, all)
		}
	}
}

func TestIsID(t *testing.T) {
	for id, want := range map[string]bool{
		strings.Repeat("0a", 32): true, strings.Repeat("0A", 32): false, "": false, "..": false, strings.Repeat("a", 63): false, strings.Repeat("a", 65): false,
	} {
		if isID(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}
