package spawn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"postern/gateway/guard"
)

func (l *lab) plainCommand(t *testing.T, acts ...string) *exec.Cmd {
	return exec.CommandContext(t.Context(), l.intruder, acts...)
}

// Where a program that was written would start by itself, or in place of another.
func TestNothingThatStartsByItselfIsWritten(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		places := []string{".bashrc", ".zshrc", ".config/autostart/x.desktop", ".config/systemd/user/x.service", ".local/bin/git", "project/.git/hooks/pre-commit", ".config/fish/config.fish"}
		for _, place := range places {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(l.home, place)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		l.own(t)
		w := l.enrol(t, guard.Request{})
		for _, place := range places {
			path := filepath.Join(l.home, place)
			before, _ := os.ReadFile(path)
			if got := l.confined(t, l.order(w, "write="+path)); got.lines[0] != none("write", l.unwritten) {
				t.Errorf("%s: %q, %s", place, got.lines, got.stderr)
			}
			if after, _ := os.ReadFile(path); len(after) != len(before) {
				t.Errorf("%s was written", place)
			}
			if got := l.plain(t, "write="+path); got.lines[0] != "write 0 2" {
				t.Errorf("%s: the control: %q", place, got.lines)
			}
		}
	})
}

func TestWhatIsWritten(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		if err := os.MkdirAll(l.home+"/.npm", 0o755); err != nil {
			t.Fatal(err)
		}
		w := l.enrol(t, guard.Request{})
		temp := fmt.Sprintf("/tmp/postern-spawn-%d", os.Getpid())
		for path, kept := range map[string]bool{l.profile.Scratch + "/kept": true, l.home + "/.npm/kept": true, temp: false, "/dev/shm/x": false, l.home + "/.cache/uv/kept": false} {
			if got := l.confined(t, l.order(w, "write="+path)); got.lines[0] != "write 0 2" {
				t.Errorf("%s: %q, %s", path, got.lines, got.stderr)
			}
			if _, err := os.Stat(path); (err == nil) != kept {
				t.Errorf("%s: on the host: %v", path, err == nil)
			}
		}
		// A cache that the user has not is the server's own, and is kept.
		if got := l.confined(t, l.order(w, "read="+l.home+"/.cache/uv/kept")); got.lines[0] != "read 0 2" {
			t.Errorf("%q, %s", got.lines, got.stderr)
		}
	})
}

func TestStrictReadsWhatItNeeds(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{Tier: guard.Strict, Read: []string{l.home + "/project"}})
		got := l.confined(t, l.order(w, "read="+l.home+"/project/.git/config", "read="+l.home+"/.bashrc", "read="+l.home+"/.ssh/id",
			"write="+l.profile.Scratch+"/x", "write=/tmp/x", "write="+l.home+"/project/x"))
		want := []string{readAll, none("read", l.unread), none("read", l.unread), "write 0 2", none("write", l.unread), none("write", l.unwritten)}
		if fmt.Sprint(got.lines) != fmt.Sprint(want) {
			t.Errorf("%q, want %q, %s", got.lines, want, got.stderr)
		}
	})
}
