package enrol

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
)

const (
	before = `{"mcpServers": {"files": {"command": "/opt/files", "args": ["-a"]}, "remote": {"url": "http://127.0.0.1:1"}}} // mine` + "\n"
	notes  = `{"mcpServers": {"notes": {"command": "u"}}, "projects": {"/p": {"mcpServers": {"notes": {"command": "v"}}}}}`
)

var standard = Options{Tier: guard.Standard, Required: true}

// home is a user's that is thrown away, with the files of two clients.
func home(t *testing.T) Guard {
	t.Helper()
	dir := t.TempDir()
	g := Guard{
		Machine: guard.Machine{OS: "linux", Home: dir, Temp: "/tmp", State: filepath.Join(dir, ".local", "state", "postern")},
		Program: "/opt/postern", Clients: clients.All(),
	}
	write(t, g, ".cursor/mcp.json", before)
	write(t, g, ".claude.json", notes)
	return g
}

func write(t *testing.T, g Guard, name, content string) {
	t.Helper()
	path := filepath.Join(g.Machine.Home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, g Guard, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(g.Machine.Home, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// words are a row a line: client, project, server, state, why.
func words(rows []Row) string {
	var all []string
	for _, r := range rows {
		all = append(all, strings.Join(strings.Fields(strings.Join([]string{r.Client, r.Project, r.Server, string(r.State), r.Why}, " ")), " "))
	}
	return strings.Join(all, "\n")
}

func want(t *testing.T, what string, rows []Row, err error, lines ...string) {
	t.Helper()
	if err != nil || words(rows) != strings.Join(lines, "\n") {
		t.Errorf("%s: %v\n%s\nwant\n%s", what, err, words(rows), strings.Join(lines, "\n"))
	}
}

func status(t *testing.T, g Guard, what string, lines ...string) {
	t.Helper()
	rows, damage, err := g.Status(guard.Reference(), true)
	if damage != nil {
		err = damage
	}
	want(t, what, rows, err, lines...)
}

func enable(t *testing.T, g Guard, o Options, what string, lines ...string) {
	t.Helper()
	rows, err := g.Enable(t.Context(), o)
	want(t, what, rows, err, lines...)
}

func disable(t *testing.T, g Guard, what string, lines ...string) {
	t.Helper()
	rows, err := g.Disable(t.Context(), false)
	want(t, what, rows, err, lines...)
}

func stored(t *testing.T, g Guard) []guard.Entry {
	t.Helper()
	entries, err := g.store().Load()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestEnableAndDisable(t *testing.T) {
	g := home(t)
	enable(t, g, standard, "enabled", "claude-code notes wrapped", "claude-code /p notes wrapped", "cursor files wrapped", "cursor remote left-alone url")
	status(t, g, "looked at", "claude-code notes confine enrolled", "claude-code /p notes confine enrolled", "cursor files confine enrolled", "cursor remote left-alone url")
	if n := len(stored(t, g)); n != 3 {
		t.Errorf("%d profiles", n)
	}
	once := read(t, g, ".cursor/mcp.json") + read(t, g, ".claude.json") + read(t, g, ".local/state/postern/"+guard.StoreFile)
	enable(t, g, Options{Tier: guard.Strict}, "enabled otherwise", "claude-code notes already-wrapped", "claude-code /p notes already-wrapped", "cursor files already-wrapped", "cursor remote left-alone url")
	if twice := read(t, g, ".cursor/mcp.json") + read(t, g, ".claude.json") + read(t, g, ".local/state/postern/"+guard.StoreFile); twice != once {
		t.Error("enabling a second time changed something")
	}
	disable(t, g, "disabled", "claude-code notes unwrapped", "claude-code /p notes unwrapped", "cursor files unwrapped")
	if read(t, g, ".cursor/mcp.json") != before || read(t, g, ".claude.json") != notes || len(stored(t, g)) > 0 {
		t.Error("not everything is as it was")
	}
}

func TestOnlyWhatIsMeant(t *testing.T) {
	g := home(t)
	dry := g
	dry.DryRun = true
	enable(t, dry, standard, "dry", "claude-code notes wrapped", "claude-code /p notes wrapped", "cursor files wrapped", "cursor remote left-alone url")
	if _, err := os.Stat(filepath.Join(g.Machine.Home, ".local")); err == nil || read(t, g, ".cursor/mcp.json") != before {
		t.Error("a dry run wrote something")
	}
	one := g
	one.Server = "files"
	enable(t, one, standard, "one server", "cursor files wrapped")
	dry.Server = "files"
	disable(t, dry, "dry", "cursor files unwrapped")
	if read(t, g, ".claude.json") != notes || read(t, g, ".cursor/mcp.json") == before || len(stored(t, g)) != 1 {
		t.Error("more or less than one server was changed")
	}
}

// What was interrupted between any two steps is ended by doing it again.
func TestInterrupted(t *testing.T) {
	g := home(t)
	g.Server = "files"
	if _, err := g.Enable(t.Context(), standard); err != nil {
		t.Fatal(err)
	}
	wrapped, profiles := read(t, g, ".cursor/mcp.json"), stored(t, g)

	write(t, g, ".cursor/mcp.json", before)
	status(t, g, "enabled by half", "cursor files half-enabled")
	enable(t, g, standard, "enabled again", "cursor files wrapped")
	if read(t, g, ".cursor/mcp.json") != wrapped || stored(t, g)[0].Profile.Hash() != profiles[0].Profile.Hash() {
		t.Error("not what an enabling in one go makes")
	}

	os.RemoveAll(g.Machine.State)
	status(t, g, "the store is gone", "cursor files refuse store-wiped")
	enable(t, g, Options{Tier: guard.Strict}, "enabled otherwise", "cursor files profile-restored")
	status(t, g, "the store is back", "cursor files confine enrolled")
	if read(t, g, ".cursor/mcp.json") != wrapped {
		t.Error("the marker was written anew")
	}

	// A wrapped entry that was copied to another name has the same profile.
	pair := strings.TrimSuffix(wrapped, "}} // mine\n")
	pair += `, "copy": ` + wrapped[strings.Index(wrapped, `"files": `)+len(`"files": `):strings.Index(wrapped, `, "remote"`)] + "}}"
	write(t, g, ".cursor/mcp.json", pair)
	os.RemoveAll(g.Machine.State)
	both := g
	both.Server = ""
	both.Clients = both.Clients[2:3]
	enable(t, both, standard, "copied", "cursor files profile-restored", "cursor remote left-alone url", "cursor copy profile-restored")
	status(t, both, "copied", "cursor files confine enrolled", "cursor remote left-alone url", "cursor copy confine enrolled")

	write(t, g, ".cursor/mcp.json", before)
	disable(t, g, "disabled by half", "cursor files profile-removed")
	status(t, g, "disabled", "cursor files not-wrapped")
}

// An upgrade that would derive another profile changes nothing that is stored;
// a person who asks for another one does.
func TestStoredProfileIsUsedAgain(t *testing.T) {
	g := home(t)
	g.Server = "files"
	old, err := guard.Derive(guard.Request{Server: "files", Command: []string{"/opt/files"}, Tier: guard.Standard, Required: true}, g.Machine, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	old.Mask = slices.Clone(old.Mask[1:])
	if err := g.store().Update(t.Context(), func([]guard.Entry) ([]guard.Entry, error) {
		return []guard.Entry{{Client: "cursor", Profile: old}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	enable(t, g, standard, "enabled", "cursor files wrapped")
	if stored(t, g)[0].Profile.Hash() != old.Hash() || !strings.Contains(read(t, g, ".cursor/mcp.json"), old.Hash()) {
		t.Error("the stored profile was not used")
	}
	write(t, g, ".cursor/mcp.json", before)
	enable(t, g, Options{Tier: guard.Strict}, "enabled otherwise", "cursor files wrapped")
	if p := stored(t, g); len(p) != 1 || p[0].Profile.Tier != guard.Strict || p[0].Profile.Required {
		t.Errorf("%d profiles, not the one that was asked for", len(p))
	}
	// Gone with its store, it cannot be derived as it was, and is not replaced.
	write(t, g, ".cursor/mcp.json", strings.Replace(read(t, g, ".cursor/mcp.json"), stored(t, g)[0].Profile.Hash(), old.Hash(), 1))
	os.RemoveAll(g.Machine.State)
	enable(t, g, standard, "after the store was wiped", "cursor files already-wrapped")
	status(t, g, "after the store was wiped", "cursor files unconfined store-wiped")
}

func TestWithoutAProfile(t *testing.T) {
	g := home(t)
	g.Server = "files"
	enable(t, g, Options{}, "off", "cursor files wrapped")
	if len(stored(t, g)) > 0 {
		t.Error("a profile was stored")
	}
	status(t, g, "off", "cursor files unconfined not-enrolled")
	disable(t, g, "off", "cursor files unwrapped")
	if read(t, g, ".cursor/mcp.json") != before {
		t.Error("not restored")
	}
}

func TestChangedOriginalIsUnwrappedWhereItIsMeant(t *testing.T) {
	g := home(t)
	g.Server = "files"
	enable(t, g, standard, "enabled", "cursor files wrapped")
	changed := strings.Replace(read(t, g, ".cursor/mcp.json"), `"-a"`, `"-b"`, 1)
	write(t, g, ".cursor/mcp.json", changed)
	status(t, g, "changed", "cursor files refuse original-changed")
	enable(t, g, standard, "changed", "cursor files already-wrapped")
	disable(t, g, "changed", "cursor files failed original-changed")
	if read(t, g, ".cursor/mcp.json") != changed || len(stored(t, g)) != 1 {
		t.Error("something was changed")
	}
	rows, err := g.Disable(t.Context(), true)
	want(t, "meant", rows, err, "cursor files unwrapped")
	if got := read(t, g, ".cursor/mcp.json"); got != strings.Replace(before, `"-a"`, `"-b"`, 1) || len(stored(t, g)) > 0 {
		t.Errorf("%s", got)
	}
}

// A file that cannot be changed keeps its servers' profiles, and no other file
// suffers.
func TestFilesThatCannotBeChanged(t *testing.T) {
	g := home(t)
	cursor := filepath.Join(g.Machine.Home, ".cursor/mcp.json")
	if err := os.Link(cursor, cursor+".other"); err != nil {
		t.Fatal(err)
	}
	enable(t, g, standard, "hard-linked", "claude-code notes wrapped", "claude-code /p notes wrapped", "cursor files failed hard-linked", "cursor remote left-alone url")
	os.Remove(cursor + ".other")
	status(t, g, "hard-linked", "claude-code notes confine enrolled", "claude-code /p notes confine enrolled", "cursor files half-enabled", "cursor remote left-alone url")
	enable(t, g, standard, "no longer", "claude-code notes already-wrapped", "claude-code /p notes already-wrapped", "cursor files wrapped", "cursor remote left-alone url")
	wrapped := read(t, g, ".cursor/mcp.json")
	write(t, g, ".cursor/mcp.json", "{")
	disable(t, g, "no JSON", "claude-code notes unwrapped", "claude-code /p notes unwrapped", "cursor failed not-json")
	write(t, g, ".cursor/mcp.json", wrapped)
	status(t, g, "JSON again", "claude-code notes not-wrapped", "claude-code /p notes not-wrapped", "cursor files confine enrolled", "cursor remote left-alone url")

	os.Remove(cursor)
	status(t, g, "no file", "claude-code notes not-wrapped", "claude-code /p notes not-wrapped", "cursor files gone")
	disable(t, g, "no file", "cursor files profile-removed")
}

func TestDamagedStoreAborts(t *testing.T) {
	g := home(t)
	enable(t, g, standard, "enabled", "claude-code notes wrapped", "claude-code /p notes wrapped", "cursor files wrapped", "cursor remote left-alone url")
	write(t, g, ".claude.json", notes)
	path := filepath.Join(g.Machine.State, guard.StoreFile)
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	files := []string{".claude.json", ".cursor/mcp.json", ".local/state/postern/" + guard.StoreFile, ".local/state/postern/" + guard.SidecarFile}
	var was []string
	for _, name := range files {
		was = append(was, read(t, g, name))
	}
	var damaged *guard.Damaged
	if _, err := g.Enable(t.Context(), standard); !errors.As(err, &damaged) {
		t.Errorf("enabled: %v", err)
	}
	if _, err := g.Disable(t.Context(), true); !errors.As(err, &damaged) {
		t.Errorf("disabled: %v", err)
	}
	for i, name := range files {
		if read(t, g, name) != was[i] {
			t.Errorf("%s was touched", name)
		}
	}
	rows, damage, err := g.Status(guard.Reference(), true)
	if damage == nil || damage.Why != guard.Tampered {
		t.Errorf("%v", damage)
	}
	want(t, "damaged", rows, err, "claude-code notes not-wrapped", "claude-code /p notes not-wrapped", "cursor files refuse store-damaged", "cursor remote left-alone url")
}

func TestOneAtATime(t *testing.T) {
	g := home(t)
	lock, err := g.lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := g.Enable(t.Context(), standard); err == nil || read(t, g, ".cursor/mcp.json") != before {
		t.Errorf("enabled beside another: %v", err)
	}
	if _, err := g.Disable(t.Context(), false); err == nil {
		t.Error("disabled beside another")
	}
}

// Every word that a row can hold is explained.
func TestWordsAreExplained(t *testing.T) {
	unknown := guard.Reason("?").Says()
	for _, s := range []State{Wrapped, Already, Restored, Unwrapped, Forgotten, NotWrapped, HalfEnabled, Gone, OtherProgram} {
		if says := (Row{State: s}).Says(); says == unknown || says == "" {
			t.Errorf("%s", s)
		}
	}
	for _, w := range []clients.Why{clients.NotUTF8, clients.NotJSON, clients.TooDeep, clients.Misshapen, clients.Ambiguous, clients.URL, clients.Variables, clients.NotWhole, clients.Unreadable, clients.NotAFile, clients.Linked, clients.TooLarge, clients.Busy, clients.NotWritten} {
		if says := (Row{State: Failed, Why: string(w)}).Says(); says == unknown || says == "" {
			t.Errorf("%s", w)
		}
	}
	for _, r := range guard.Reference() {
		if says := (Row{State: State(r.Action.String()), Why: string(r.Reason)}).Says(); says == unknown {
			t.Errorf("%s", r.Reason)
		}
	}
	if (Row{State: "refuse", Why: StoreDamaged}).Says() == unknown {
		t.Error(StoreDamaged)
	}
}
