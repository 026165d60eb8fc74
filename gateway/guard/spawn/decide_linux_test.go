package spawn

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"postern/gateway/guard"
)

// effect is what came of a server that reads a secret: what is seen from outside.
type effect string

const (
	refused effect = "no process started"
	masked  effect = "started, and the secret not read"
	leaked  effect = "the secret read"
)

func (r result) effect() effect {
	switch r.lines[0] {
	case readAll:
		return leaked
	case none("read", unix.ENOENT), none("read", unix.EACCES):
		return masked
	}
	return refused
}

// Each row of the table: a machine on which it decides, what then comes of the
// server, and what does when the row is missing, or does the opposite.
func TestEachRowHasAnEffect(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		if l.user == 0 && len(users()) > 1 {
			t.Skip("the other user stands for both: the table knows none")
		}
		nowhere := Means{Places: []string{l.dir + "/no-bwrap"}}
		rows := []struct {
			row, dropped, opposite effect
			required               bool
			change                 func(o *order)
		}{
			{refused, masked, leaked, false, func(o *order) { o.Wrapped.Original = strings.Repeat("0", 64) }},
			{refused, leaked, leaked, false, func(o *order) { o.Wrapped.Profile, o.Means = "x", nowhere }},
			{refused, leaked, leaked, false, func(o *order) { o.Wrapped.Profile, o.Means = strings.Repeat("0", 64), nowhere }},
			{refused, masked, leaked, true, func(o *order) { o.Wrapped.Profile = "" }},
			{refused, leaked, leaked, true, func(o *order) { o.State = l.home + "/fresh" }},
			{refused, leaked, leaked, true, func(o *order) { o.Wrapped.Profile, o.State = "", l.home+"/fresh" }},
			{refused, leaked, leaked, true, func(o *order) { o.Means = nowhere }},
			{masked, refused, leaked, false, func(*order) {}},
			{masked, refused, leaked, false, func(o *order) { o.Wrapped.Profile = "" }},
			{leaked, refused, refused, false, func(o *order) { o.Means = nowhere }},
			{leaked, refused, refused, false, func(o *order) { o.State = l.home + "/fresh" }},
			{leaked, refused, refused, false, func(o *order) { o.Wrapped.Profile, o.State = "", l.home+"/fresh" }},
		}
		if len(rows) != len(guard.Reference()) {
			t.Fatalf("%d rows are shown of %d", len(rows), len(guard.Reference()))
		}
		for i, c := range rows {
			w := l.enrol(t, guard.Request{Required: c.required})
			o := l.order(w, "read="+l.home+"/.ssh/id")
			c.change(&o)
			dropped, opposite := guard.Reference(), guard.Reference()
			reason := opposite[i].Reason
			dropped = slices.Delete(dropped, i, i+1)
			opposite[i].Action = guard.Unconfined
			if c.row == leaked {
				opposite[i].Action = guard.Refuse
			}
			for name, try := range map[string]struct {
				table guard.Table
				want  effect
			}{"as it is": {guard.Reference(), c.row}, "dropped": {dropped, c.dropped}, "opposite": {opposite, c.opposite}} {
				o.Table = try.table
				got := l.confined(t, o)
				if got.effect() != try.want {
					t.Errorf("row %d (%s), %s: %s, want %s; exit code %d, %s", i, reason, name, got.effect(), try.want, got.code, got.stderr)
				}
				if loud := strings.Contains(got.stderr, "UNCONFINED"); loud != (got.effect() == leaked) {
					t.Errorf("row %d (%s), %s: a loud notice: %v", i, reason, name, loud)
				}
				if (got.effect() == refused) != (got.code == ExitRefused) {
					t.Errorf("row %d (%s), %s: exit code %d", i, reason, name, got.code)
				}
			}
		}
	})
}

// Each secret place at home is masked, and is read where its mask is taken off.
func TestEachMaskHasAnEffect(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		l.enrol(t, guard.Request{})
		p := l.profile
		var acts []string
		for _, place := range p.Mask {
			if strings.HasPrefix(place, l.home+"/") && place != l.state {
				if err := os.RemoveAll(place); err != nil {
					t.Fatal(err)
				}
				l.plant(t, place+"/planted")
				acts = append(acts, "read="+place+"/planted")
			}
		}
		if len(acts) < 50 {
			t.Fatalf("only %d places", len(acts))
		}
		for want, mask := range map[string][]string{none("read", l.unread): p.Mask, readAll: {"/etc/shadow"}} {
			p.Mask = mask
			got := l.confined(t, l.order(l.store(t, p, []string{l.intruder}), acts...))
			for i, line := range got.lines {
				if line != want {
					t.Errorf("%d places masked: %s: %q", len(mask), acts[i], line)
				}
			}
			if len(got.lines) != len(acts) {
				t.Errorf("%d of %d places were tried, %s", len(got.lines), len(acts), got.stderr)
			}
		}
	})
}

func TestADamagedStoreRefuses(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		o := l.order(l.enrol(t, guard.Request{}), "read="+l.home+"/.ssh/id")
		store := filepath.Join(l.state, guard.StoreFile)
		content, err := os.ReadFile(store)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(content), "network: none", "network: full", 1)
		if err := os.WriteFile(store, []byte(changed), 0o600); err != nil || changed == string(content) {
			t.Fatal("the store was not changed", err)
		}
		if got := l.confined(t, o); got.effect() != refused || got.code != ExitRefused || !strings.Contains(got.stderr, "damaged") {
			t.Errorf("%s, exit code %d, %s", got.effect(), got.code, got.stderr)
		}
		if e := l.events(t); len(e) != 1 || e[0].Reason != StoreDamaged || e[0].Action != "refuse" {
			t.Errorf("%+v", e)
		}
	})
}

func TestEachDecisionIsAnEvent(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		o := l.order(w, "read="+l.home+"/.ssh/id", "exit=3")
		l.confined(t, o)
		o.Means = Means{Places: []string{l.dir + "/no-bwrap"}}
		l.confined(t, o)
		o.Wrapped.Required = true
		l.confined(t, o)
		events := l.events(t)
		var got []string
		for _, e := range events {
			got = append(got, e.Action+" "+string(e.Reason)+" "+e.Backend)
		}
		want := []string{"confine enrolled bubblewrap", "unconfined backend-missing not-installed", "refuse backend-missing not-installed"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		text, err := os.ReadFile(filepath.Join(l.state, EventsFile))
		if err != nil || strings.Contains(string(text), ".ssh") || strings.Contains(string(text), "intruder") {
			t.Errorf("the log holds something of the command, or: %v", err)
		}
		// Where no event can be written nothing is started.
		if err := os.Remove(filepath.Join(l.state, EventsFile)); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(l.state, EventsFile), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := l.confined(t, l.order(w, "read="+l.home+"/.ssh/id")); got.effect() != refused || got.code != ExitRefused {
			t.Errorf("%s, exit code %d", got.effect(), got.code)
		}
	})
}

func TestProgramsThatCannotBeStarted(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		for program, want := range map[string]int{l.dir + "/none": ExitNotFound, "postern-no-such-program": ExitNotFound, l.home + "/.bashrc": ExitForbidden} {
			w := l.enrol(t, guard.Request{Command: []string{program}})
			if got := l.confined(t, l.order(w)); got.code != want {
				t.Errorf("%s: exit code %d, %s", filepath.Base(program), got.code, got.stderr)
			}
		}
	})
}

// A program that the profile hides is not started in vain: the reason is told.
func TestAProgramInASecretPlace(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		for place, want := range map[string]string{l.home + "/.config/gh/server": "program-secret", l.home + "/project/server": "enrolled"} {
			if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
				t.Fatal(err)
			}
			l.copy(t, l.intruder, place)
			w := l.enrol(t, guard.Request{Command: []string{place}})
			got := l.confined(t, l.order(w, "read="+l.home+"/.bashrc"))
			if ran := got.lines[0] == readAll; ran != (want == "enrolled") || !ran && got.code != ExitRefused {
				t.Errorf("%s: exit code %d, %q, %s", want, got.code, got.lines, got.stderr)
			}
			if e := l.events(t); string(e[len(e)-1].Reason) != want {
				t.Errorf("%+v, want %s", e[len(e)-1], want)
			}
		}
	})
}

// A bubblewrap that works when it is tried, and then does not.
func TestASandboxThatIsNotMade(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can write a program that is trusted")
	}
	eachUser(t, func(t *testing.T, l *lab) {
		dir, err := os.MkdirTemp("/var/tmp", "postern-spawn-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		const text = "#!/bin/sh\ncase $* in *--version) echo bubblewrap 0.8.0 ;; *) exit 1 ;; esac\n"
		if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(dir+"/bwrap", []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
		o := l.order(l.enrol(t, guard.Request{}), "read="+l.home+"/.ssh/id")
		o.Means = Means{Places: []string{dir + "/bwrap"}}
		if got := l.confined(t, o); got.effect() != refused || got.code != ExitRefused {
			t.Errorf("%s, exit code %d, %s", got.effect(), got.code, got.stderr)
		}
	})
}

// events are those of the log; a line that is none fails the test.
func (l *lab) events(t *testing.T) []event {
	t.Helper()
	f, err := os.Open(filepath.Join(l.state, EventsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []event
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}
