package seatbelt

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"postern/gateway/guard"
)

// No profile makes a text in which a path is anything but a string: read back,
// the paths are those of the profile and of the system, no rule is for anything
// new, and a secret place is denied whatever lies around it.
func FuzzRender(f *testing.F) {
	for _, place := range []string{home + "/.ssh", `/a"b`, `/a\`, `/a\"b`, "/a)(allow default)", "/a\nb", "/tmp/x", "/", "/a;b", "/ä\xff", "//a/../b/", `/#"x"`, "/\u2028", "/dev/x", ""} {
		f.Add(place, "/Users/ada/read", "/Users/ada/.npm", 8080)
		f.Add("/Users/ada/.netrc", place, "/Users/ada/.npm", 1)
		f.Add("/Users/ada/.netrc", "/Users/ada/read", place, -1)
	}
	f.Fuzz(func(t *testing.T, mask, read, write string, port int) {
		p := guard.Profile{Tier: guard.Strict, Mask: []string{mask}, Read: []string{read}, Write: []string{write}, Scratch: "/Users/ada/scratch", Network: guard.NetLoopback, Ports: []int{port}}
		text, err := Render(p)
		unable := (*Unable)(nil)
		if errors.As(err, &unable) {
			if slices.Equal([]string{mask, read, write}, []string{"/Users/ada/.ssh", "/Users/ada/read", "/Users/ada/.npm"}) {
				t.Fatalf("a plain profile: %s", unable.Why)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		all, err := clauses(text)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		known := []string{dataVolume + physical(mask)}
		for _, place := range slices.Concat([]string{mask, read, write, p.Scratch, "/private/var/run/mDNSResponder", opened}, needed, unlisted, sources, sinks) {
			for place = physical(place); ; place = path.Dir(place) {
				if known = append(known, place); place == "/" {
					break
				}
			}
		}
		known = append(append(known, linked...), dataVolume+"/dev")
		for _, c := range all {
			if !slices.Contains([]string{"file-read*", "file-read-metadata", "file-write*", "file-write-data", "file-write-create", "file-write-unlink", "file-map-executable", "process-exec*", "process-fork", "process-info*", "signal", "ipc-posix-sem", "sysctl-read", "mach-lookup", "network-outbound"}, c.action) {
				t.Errorf("a rule for %s", c.action)
			}
			for _, f := range c.filters {
				if isPath := f.kind == "literal" || f.kind == "subpath"; isPath && !slices.Contains(known, f.value) {
					t.Errorf("%s (%s %q)", c.action, f.kind, f.value)
				}
			}
		}
		secret := path.Join(physical(mask), "secret")
		named := slices.ContainsFunc(append([]string{read, write}, needed...), func(place string) bool {
			return physical(place) == physical(mask) || physical(place) == secret
		})
		if !named && permits(all, "file-read-data", "path", secret) {
			t.Error("a secret place is read")
		}
		if permits(all, "file-write-data", "path", "/Users/eve/x") && !strings.HasPrefix("/Users/eve/x", strings.TrimSuffix(physical(write), "/")) {
			t.Error("what the profile does not name is written")
		}
	})
}
