package gate

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

var toolSet = []string{deliver, publish}

func statePath(t testing.TB) string { return filepath.Join(t.TempDir(), "state") }

// written makes a state file by one gate's life and gives it back with its path.
func written(t testing.TB, updates ...Update) (path string, data []byte) {
	t.Helper()
	path = statePath(t)
	g, err := New(toolSet, Options{Path: path, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range updates {
		update(t, g, u.Revision, u.Revoked...)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	return path, contents(t, path)
}

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// reopen opens a state file and gives it up again.
func reopen(o Options, tools ...string) (Status, Code) {
	g, err := New(tools, o)
	if err != nil {
		return Status{}, codeOf(err)
	}
	defer g.Close()
	return g.Status(), ""
}

func TestARestartContinuesAtTheRevisionOfTheFile(t *testing.T) {
	path, _ := written(t, Update{1, nil}, Update{3, []string{publish}})
	g := open(t, Options{Path: path, Known: 3})
	if diff := cmp.Diff(Status{Revision: 3, Revoked: []string{publish}}, g.Status()); diff != "" {
		t.Errorf("after a restart:\n%s", diff)
	}
	wantCall(t, g, deliver, "")
	wantCall(t, g, publish, Revoked)
	if got := codeOf(g.Update(t.Context(), Update{Revision: 3})); got != Repeated {
		t.Errorf("the revision of before: %q, want %q", got, Repeated)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, Options{Path: path})
	wantCall(t, again, deliver, Closed) // a restart does not reopen either
	update(t, again, 4)
	wantCall(t, again, publish, "")
}

func TestARestartInTheMiddleOfAnUpdateIsClosedAtItsRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path, copied := statePath(t), statePath(t)
		g := open(t, Options{Path: path, Create: true})
		leave, err := g.Enter(t.Context(), publish)
		if err != nil {
			t.Fatal(err)
		}
		pending := startUpdate(t.Context(), g, 5, publish)
		put(t, copied, contents(t, path)) // what a crash would leave
		got, _ := reopen(Options{Path: copied, Known: 5}, toolSet...)
		if diff := cmp.Diff(Status{Revision: 5, Closed: true, Revoked: []string{publish}}, got); diff != "" {
			t.Errorf("after a crash:\n%s", diff)
		}
		leave()
		pending.want(t, "update", outcome{done: true})
	})
}

func TestTheStateFileIsThisUsersAloneAndLeavesNothingBeside(t *testing.T) {
	path, _ := written(t, Update{1, nil})
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		modes[e.Name()] = info.Mode()
	}
	if diff := cmp.Diff(map[string]os.FileMode{"state": 0o600, "state.lock": 0o600}, modes); diff != "" {
		t.Errorf("files:\n%s", diff)
	}
}

func TestATruncatedStateIsRefusedAtEveryLength(t *testing.T) {
	path, whole := written(t, Update{1, []string{publish}})
	for n := range whole {
		put(t, path, whole[:n])
		if _, got := reopen(Options{Path: path, Create: true}, toolSet...); got != StateTruncated {
			t.Errorf("%d of %d bytes: %q, want %q", n, len(whole), got, StateTruncated)
		}
	}
}

func TestADamagedStateIsRefusedAtEveryBit(t *testing.T) {
	path, whole := written(t, Update{1, []string{publish}})
	for i := range len(whole) * 8 {
		damaged := bytes.Clone(whole)
		damaged[i/8] ^= 1 << (i % 8)
		put(t, path, damaged)
		if _, got := reopen(Options{Path: path}, toolSet...); got != StateMalformed && got != StateTruncated {
			t.Errorf("bit %d: %q", i, got)
		}
	}
}

func TestStatesThatCannotBeTrustedAreRefused(t *testing.T) {
	tools := digest(set(toolSet))
	encode := func(r record) []byte {
		data, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	summed := func(line string) []byte { return []byte(line + "\n" + sum([]byte(line+"\n"))) }
	for _, c := range []struct {
		name  string
		data  []byte
		known uint64
		code  Code
	}{
		{"accepted", encode(record{1, tools, 5, false, []string{publish}}), 5, ""},
		{"older than known", encode(record{1, tools, 5, false, nil}), 6, StateOlder},
		{"of a subset", encode(record{1, digest(set(toolSet[:1])), 5, false, nil}), 0, StateTools},
		{"of no set", encode(record{1, "", 5, false, nil}), 0, StateTools},
		{"upper-case digest", encode(record{1, string(bytes.ToUpper([]byte(tools))), 5, false, nil}), 0, StateTools},
		{"format to come", encode(record{2, tools, 5, false, nil}), 0, StateMalformed},
		{"largest revision", encode(record{1, tools, MaxRevision + 1, false, nil}), 0, StateMalformed},
		{"strange tool", encode(record{1, tools, 5, false, []string{"strange"}}), 0, StateMalformed},
		{"tool twice", encode(record{1, tools, 5, false, []string{publish, publish}}), 0, StateMalformed},
		{"out of order", encode(record{1, tools, 5, false, []string{publish, deliver}}), 0, StateMalformed},
		{"empty", nil, 0, StateTruncated},
		{"null", summed(`null`), 0, StateMalformed},
		{"no key", summed(`{}`), 0, StateMalformed},
		{"strange key", summed(`{"format":1,"tools":"` + tools + `","revision":5,"closed":false,"revoked":[],"x":0}`), 0, StateMalformed},
		{"no list", summed(`{"format":1,"tools":"` + tools + `","revision":5,"closed":false,"revoked":null}`), 0, StateMalformed},
		{"other order", summed(`{"tools":"` + tools + `","format":1,"revision":5,"closed":false,"revoked":[]}`), 0, StateMalformed},
		{"blanks", summed(`{"format":1, "tools":"` + tools + `","revision":5,"closed":false,"revoked":[]}`), 0, StateMalformed},
		{"two states", slices.Concat(encode(record{1, tools, 5, false, nil}), encode(record{1, tools, 6, false, nil})), 0, StateMalformed},
		{"oversized", bytes.Repeat([]byte("x"), maxState+1), 0, StateMalformed},
	} {
		path := statePath(t)
		put(t, path, c.data)
		if _, got := reopen(Options{Path: path, Known: c.known}, toolSet...); got != c.code {
			t.Errorf("%s: %q, want %q", c.name, got, c.code)
		}
		if !bytes.Equal(contents(t, path), c.data) {
			t.Errorf("%s: opening changes the file", c.name)
		}
	}
}

func TestAMissingStateIsMadeOnlyWhereItMayBe(t *testing.T) {
	path := statePath(t)
	if _, got := reopen(Options{Path: path}, toolSet...); got != StateMissing {
		t.Errorf("may not be made: %q, want %q", got, StateMissing)
	}
	if _, got := reopen(Options{Path: path, Create: true, Known: 1}, toolSet...); got != StateMissing {
		t.Errorf("would be older than known: %q, want %q", got, StateMissing)
	}
	if _, got := reopen(Options{Path: path, Create: true}, toolSet...); got != "" {
		t.Errorf("may be made: %q", got)
	}
	if _, got := reopen(Options{Path: path}, toolSet...); got != "" {
		t.Errorf("made before: %q", got)
	}
}

func TestTheOrderOfToolsDoesNotMatterAndTheSetDoes(t *testing.T) {
	path, _ := written(t, Update{1, nil})
	for code, tools := range map[Code][]string{
		"":         {publish, deliver},
		StateTools: {publish, deliver, "more"},
	} {
		if _, got := reopen(Options{Path: path}, tools...); got != code {
			t.Errorf("%v: %q, want %q", tools, got, code)
		}
	}
	if digest(set([]string{"ab", "c"})) == digest(set([]string{"a", "bc"})) {
		t.Error("two sets have one digest")
	}
}

func TestFilesThatOthersMayTouchAreRefused(t *testing.T) {
	path, data := written(t, Update{1, nil})
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, got := reopen(Options{Path: path}, toolSet...); got != StateExposed {
		t.Errorf("readable by the group: %q, want %q", got, StateExposed)
	}
	real := filepath.Join(t.TempDir(), "real")
	put(t, real, data)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	if _, got := reopen(Options{Path: path}, toolSet...); got != StateExposed {
		t.Errorf("a symbolic link: %q, want %q", got, StateExposed)
	}
	directory := filepath.Join(t.TempDir(), "directory")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, got := reopen(Options{Path: directory}, toolSet...); got != StateExposed {
		t.Errorf("a directory: %q, want %q", got, StateExposed)
	}
	if os.Geteuid() != 0 {
		return // only root can give a file away
	}
	if err := os.Chown(real, 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, got := reopen(Options{Path: real}, toolSet...); got != StateExposed {
		t.Errorf("another user's: %q, want %q", got, StateExposed)
	}
}

func TestAStateFileBelongsToOneGate(t *testing.T) {
	path := statePath(t)
	g := open(t, Options{Path: path, Create: true})
	if _, got := reopen(Options{Path: path, Create: true}, toolSet...); got != StateInUse {
		t.Errorf("a second gate: %q, want %q", got, StateInUse)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if _, got := reopen(Options{Path: path}, toolSet...); got != "" {
		t.Errorf("after the first was closed: %q", got)
	}
}

// What happens to the file under a running gate, and what an update then says.
func TestAnUpdateThatIsNotDurableIsNotAcknowledged(t *testing.T) {
	_, older := written(t)
	for _, c := range []struct {
		name   string
		damage func(path string) error
		code   Code
	}{
		{"rolled back", func(p string) error { return os.WriteFile(p, older, 0o600) }, StateChanged},
		{"emptied", func(p string) error { return os.Truncate(p, 0) }, StateChanged},
		{"exposed", func(p string) error { return os.Chmod(p, 0o604) }, StateExposed},
		{"removed", os.Remove, "?"},
		{"directory gone", func(p string) error { return os.RemoveAll(filepath.Dir(p)) }, "?"},
		{"no room for the next", func(p string) error { return os.MkdirAll(p+".new/x", 0o700) }, "?"},
	} {
		path := filepath.Join(t.TempDir(), "dir", "state")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		g := open(t, Options{Path: path, Create: true})
		update(t, g, 1)
		if err := c.damage(path); err != nil {
			t.Fatal(err)
		}
		err := g.Update(t.Context(), Update{Revision: 2})
		if got := codeOf(err); got != NotDurable {
			t.Errorf("%s: %q, want %q", c.name, got, NotDurable)
		}
		wantCall(t, g, deliver, Closed)
		if got := g.Status().Revision; got != 2 {
			t.Errorf("%s: revision %d, want 2, which is used up", c.name, got)
		}
	}
}

func TestAnUpdateWhoseEndIsNotDurableLeavesAdmissionClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		g := open(t, Options{Path: path, Create: true})
		older := contents(t, path)
		leave, err := g.Enter(t.Context(), deliver)
		if err != nil {
			t.Fatal(err)
		}
		pending := startUpdate(t.Context(), g, 1, publish)
		put(t, path, older) // after the first of its two writes
		leave()
		pending.want(t, "update", outcome{code: NotDurable, done: true})
		wantCall(t, g, deliver, Closed)
	})
}

func TestAGateRecoversOnceTheStateFileTakesWritesAgain(t *testing.T) {
	path := statePath(t)
	g := open(t, Options{Path: path, Create: true})
	update(t, g, 1)
	if err := os.MkdirAll(path+".new/x", 0o700); err != nil {
		t.Fatal(err)
	}
	if got := codeOf(g.Update(t.Context(), Update{Revision: 2})); got != NotDurable {
		t.Errorf("%q, want %q", got, NotDurable)
	}
	if err := os.RemoveAll(path + ".new"); err != nil {
		t.Fatal(err)
	}
	update(t, g, 3, publish)
	wantCall(t, g, deliver, "")
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := reopen(Options{Path: path}, toolSet...); got.Revision != 3 || got.Closed {
		t.Errorf("after a restart: revision %d, closed %v, want 3 and open", got.Revision, got.Closed)
	}
}

// The rename went through and the directory could not be synced: the old file
// or the new one may be there, and the next update takes either, but no third.
func TestAfterAWriteThatFailedOldAndNewContentAreTaken(t *testing.T) {
	for _, c := range []struct {
		found Update
		code  Code
	}{
		{Update{Revision: 1}, ""},
		{Update{Revision: 2}, ""},
		{Update{Revision: 3}, NotDurable},
	} {
		path := statePath(t)
		g := open(t, Options{Path: path, Create: true})
		update(t, g, 1)
		maybe, err := g.store.encode(record{Revision: 2})
		if err != nil {
			t.Fatal(err)
		}
		g.store.replaced = maybe
		_, found := written(t, c.found)
		put(t, path, found)
		if got := codeOf(g.Update(t.Context(), Update{Revision: 4})); got != c.code {
			t.Errorf("revision %d in the file: %q, want %q", c.found.Revision, got, c.code)
		}
	}
}

func TestWhatACrashLeftOfTheNextFileIsReplaced(t *testing.T) {
	path, _ := written(t, Update{1, nil})
	put(t, path+".new", []byte("half"))
	g := open(t, Options{Path: path})
	update(t, g, 2)
}
