package upstream

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
	"postern/gateway/guard"
	"postern/gateway/guard/spawn"
)

// enrolled is a server that must be confined, and its state directory.
func enrolled(t testing.TB, env ...string) (Server, string) {
	t.Helper()
	if _, err := bubblewrap.Available(t.Context(), bubblewrap.Places); err != nil {
		unable := (*bubblewrap.Unable)(nil)
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") || !errors.As(err, &unable) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	m := guard.Machine{OS: "linux", Home: filepath.Join(dir, "home"), Temp: filepath.Join(dir, "temp"), State: filepath.Join(dir, "state")}
	for _, d := range []string{m.Home, m.Temp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := Server{Path: built.one, SHA256: sum(t, built.one), Env: env}
	if err := s.Enrol(t.Context(), Enrolment{Name: "test", Tier: guard.Standard, Required: true, Machine: m}); err != nil {
		t.Fatal(err)
	}
	return s, m.State
}

func TestAnEnrolledServerAnswersFromItsSandbox(t *testing.T) {
	s, state := enrolled(t)
	client, err := Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.Call(t.Context(), "version", nil); err != nil || got.Text != "one" {
		t.Errorf("it answered %q, %v", got.Text, err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	events, err := os.ReadFile(filepath.Join(state, spawn.EventsFile))
	if err != nil || !strings.Contains(string(events), `"action":"confine"`) {
		t.Errorf("the log of decisions says %q, %v", events, err)
	}
}

// Where bubblewrap makes no sandbox Landlock confines, if it may be used.
func TestAnEnrolledServerAnswersUnderLandlock(t *testing.T) {
	s, state := enrolled(t)
	s.Guard.Places, s.Guard.Kernel = []string{"/nowhere"}, landlock.Look()
	if _, err := landlock.Available(s.Guard.Kernel); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "landlock") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	client, err := Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.Call(t.Context(), "version", nil); err != nil || got.Text != "one" {
		t.Errorf("it answered %q, %v", got.Text, err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	events, err := os.ReadFile(filepath.Join(state, spawn.EventsFile))
	if err != nil || !strings.Contains(string(events), `"backend":"landlock"`) {
		t.Errorf("the log of decisions says %q, %v", events, err)
	}
}

// What must be confined is refused where it cannot be, and nothing is run.
func TestWhatCannotBeConfinedIsRefused(t *testing.T) {
	hearing, path := listen(t)
	for _, c := range []struct {
		reason guard.Reason
		change func(*Server)
	}{
		{guard.BackendMissing, func(s *Server) { s.Guard.Places = []string{"/nowhere"} }},
		{guard.MarkerStripped, func(s *Server) { s.Guard.Profile = "" }},
		{guard.MarkerMalformed, func(s *Server) { s.Guard.Profile = "none" }},
		{guard.MarkerMismatched, func(s *Server) { s.Guard.Profile = strings.Repeat("0", 64) }},
		{guard.OriginalChanged, func(s *Server) { s.Args = []string{"silent"} }},
		{guard.NotEnrolled, func(s *Server) { s.Guard = Guard{} }},
		{guard.StoreWiped, func(s *Server) {
			if err := os.RemoveAll(s.Guard.State); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(string(c.reason), func(t *testing.T) {
			s, _ := enrolled(t, "BEACON="+path)
			c.change(&s)
			_, err := Start(t.Context(), s)
			refused := (*spawn.Refused)(nil)
			if !errors.As(err, &refused) || refused.Reason != c.reason {
				t.Errorf("it ended with %v", err)
			}
			hearing.nobody(t)
		})
	}
}

// BenchmarkStart compares what a start costs with and without a sandbox.
func BenchmarkStart(b *testing.B) {
	confined, _ := enrolled(b)
	free := confined
	free.Guard = Guard{Optional: true}
	for name, s := range map[string]Server{"confined": confined, "free": free} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				client, err := Start(b.Context(), s)
				if err != nil {
					b.Fatal(err)
				}
				if err := client.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
