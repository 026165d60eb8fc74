package host

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// machine is a tree with the files of one.
func machine(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSandbox(t *testing.T) {
	const says = "#!/bin/sh\necho bubblewrap 0.8.0\n"
	places := []string{"/usr/bin/bwrap", "/usr/local/bin/bwrap"}
	for _, c := range []struct {
		name          string
		files         map[string]string
		path, version string
		forbids       []string
	}{
		{"an empty machine", nil, "", "", nil},
		{"as it should be", map[string]string{"proc/sys/user/max_user_namespaces": "96365\n", "proc/sys/kernel/unprivileged_userns_clone": "1\n", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0\n", "usr/bin/bwrap": says}, "/usr/bin/bwrap", "0.8.0", nil},
		{"the second place", map[string]string{"usr/local/bin/bwrap": says, "usr/bin/bwrap/x": ""}, "/usr/local/bin/bwrap", "0.8.0", nil},
		{"two numbers", map[string]string{"usr/bin/bwrap": "#!/bin/sh\necho bubblewrap 1.2\n"}, "/usr/bin/bwrap", "1.2.0", nil},
		{"one number", map[string]string{"usr/bin/bwrap": "#!/bin/sh\necho bubblewrap 1\n"}, "/usr/bin/bwrap", "", nil},
		{"another program", map[string]string{"usr/bin/bwrap": "#!/bin/sh\necho hello\n"}, "/usr/bin/bwrap", "", nil},
		{"it fails", map[string]string{"usr/bin/bwrap": "#!/bin/sh\necho bubblewrap 0.8.0\nexit 1\n"}, "/usr/bin/bwrap", "", nil},
		{"none are allowed", map[string]string{"proc/sys/user/max_user_namespaces": "0\n"}, "", "", []string{"user.max_user_namespaces=0"}},
		{"not to users", map[string]string{"proc/sys/kernel/unprivileged_userns_clone": "0\n", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n"}, "", "", []string{"kernel.unprivileged_userns_clone=0", "kernel.apparmor_restrict_unprivileged_userns=1"}},
	} {
		s := LookSandbox(t.Context(), machine(t, c.files), places)
		if s.Bubblewrap != c.path || s.Version != c.version || !slices.Equal(s.Forbids(), c.forbids) {
			t.Errorf("%s: %+v, forbidden by %v", c.name, s, s.Forbids())
		}
	}
}
