//go:build unix

package seatbelt

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"postern/gateway/guard"
)

// house is a directory that is thrown away, by its real path.
func house(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		f = filepath.Join(dir, f)
		if err := errors.Join(os.MkdirAll(filepath.Dir(f), 0o755), os.WriteFile(f, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func link(t *testing.T, target, at string) {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Fatal(err)
	}
}

// Every other path of a secret is masked: as Render has it, the kernel knows no
// links and one spelling.
func TestSecretsBehindLinks(t *testing.T) {
	dir := house(t, "dots/ssh/id", "keys/deep", "home/.Config/gh", "home/caf\u00e9/.netrc", "home/.plain", "home/notes", "aws/x", "kube/x", "gnu/x", "linked/x")
	link(t, dir+"/dots", dir+"/home/.dots")
	link(t, ".dots/ssh", dir+"/home/.ssh")
	link(t, dir+"/keys", dir+"/dots/ssh/more")
	link(t, dir+"/aws", dir+"/home/.AWS")
	link(t, dir+"/KUBE", dir+"/home/.kube")
	link(t, dir+"/gnu", dir+"/home/.Gnu")
	link(t, dir+"/linked", dir+"/home/.linked")
	link(t, dir+"/home", dir+"/alias")
	p, err := Settle(guard.Profile{
		Mask:    []string{dir + "/home/.ssh", dir + "/home/.config/gh", dir + "/home/cafe\u0301/.netrc", dir + "/home/.later", dir + "/home/.plain", dir + "/home/.aws", dir + "/home/.kube", dir + "/home/.gnu/x", dir + "/alias/.linked"},
		Read:    []string{"/"},
		Scratch: dir + "/scratch",
	}, dir+"/home/notes")
	if err != nil {
		t.Fatal(err)
	}
	m := meaning(t, p)
	for place, read := range map[string]bool{
		"/dots/ssh/id": false, "/keys/deep": false, "/home/.Config/gh": false, "/home/caf\u00e9/.netrc": false, "/home/.later": false, "/home/.plain": false, "/aws/x": false, "/kube/x": false, "/gnu/x": false,
		"/linked/x": false, "/home/.linked": false, // the link too, for what may stand there later
		"/home/notes": true, "/dots/other": true, "/home/.Config/x": true, "/home/.ssh2": true,
	} {
		if got := permits(m, "file-read-data", "path", physical(dir+place)); got != read {
			t.Errorf("%s: %v", place, got)
		}
	}
}

func TestWhatIsGrantedBehindLinks(t *testing.T) {
	dir := house(t, "real/project/x", "real/cache/x", "real/state/scratch/s/x", "bin/server", "Other/x")
	link(t, dir+"/real", dir+"/home")
	link(t, dir+"/bin/server", dir+"/started")
	link(t, "loop", dir+"/loop")
	p, err := Settle(guard.Profile{
		Mask:    []string{dir + "/home/state"},
		Read:    []string{dir + "/home/project", dir + "/other", dir + "/loop"},
		Write:   []string{dir + "/home/state/scratch/s", dir + "/home/cache"},
		Scratch: dir + "/home/state/scratch/s",
	}, dir+"/started")
	if err != nil {
		t.Fatal(err)
	}
	m := meaning(t, p)
	for _, c := range []struct {
		action, place string
		want          bool
	}{
		{"file-read-data", "/real/project/x", true},
		{"file-read-data", "/bin/server", true},
		{"process-exec", "/bin/server", true},
		{"file-read-metadata", "/home", true}, // the links themselves
		{"file-read-metadata", "/started", true},
		{"file-write-data", "/real/cache/x", true},
		{"file-write-data", "/real/state/scratch/s/x", true},
		{"file-read-data", "/real/state/x", false},
		{"file-write-unlink", "/home", false},
		{"file-read-data", "/real/x", false},
	} {
		if got := permits(m, c.action, "path", physical(dir+c.place)); got != c.want {
			t.Errorf("%s %s: %v", c.action, c.place, got)
		}
	}
	// Only where it is the same file is another spelling granted.
	_, err = os.Lstat(dir + "/other")
	if folds, got := err == nil, permits(m, "file-read-data", "path", physical(dir+"/Other/x")); got != folds {
		t.Errorf("another spelling: %v, and the file system folds case: %v", got, folds)
	}
}

func TestSecretsThatCannotBeMasked(t *testing.T) {
	dir := house(t, "home/.ssh/id", "home/x")
	p := guard.Profile{Mask: []string{dir + "/home/.ssh"}, Read: []string{"/"}, Scratch: dir + "/scratch"}
	if err := os.Link(dir+"/home/.ssh/id", dir+"/home/.ssh/same"); err != nil {
		t.Fatal(err)
	}
	if _, err := Settle(p, "/bin/true"); err != nil {
		t.Errorf("both names masked: %v", err)
	}
	if err := os.Link(dir+"/home/.ssh/id", dir+"/home/other"); err != nil {
		t.Fatal(err)
	}
	_, err := Settle(p, "/bin/true")
	if unable := (*Unable)(nil); !errors.As(err, &unable) || unable.Why != SecretLinked {
		t.Errorf("another hard link: %v", err)
	}
}

// A program in a secret place is not made readable by being started.
func TestAProgramInASecretPlace(t *testing.T) {
	dir := house(t, "home/.ssh/tool")
	p, err := Settle(guard.Profile{Mask: []string{dir + "/home/.ssh"}, Scratch: dir + "/scratch"}, dir+"/home/.ssh/tool")
	if err != nil || slices.Contains(p.Read, dir+"/home/.ssh/tool") {
		t.Errorf("%q, %v", p.Read, err)
	}
}
