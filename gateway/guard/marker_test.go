package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMarkersAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Wrapped{
			Server:   rapid.OneOf(rapid.StringN(1, 20, -1), rapid.SampledFrom([]string{"--", "-x", "--server", "a=b"})).Draw(t, "server"),
			Original: rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, "original"),
			Profile:  rapid.SampledFrom([]string{"", strings.Repeat("a", 64), "x y", "--"}).Draw(t, "profile"),
			Required: rapid.Bool().Draw(t, "required"),
			Command:  append([]string{"npx"}, rapid.SliceOf(rapid.String()).Draw(t, "args")...),
		}
		got, ok := ParseWrapped(w.Args())
		if !ok || !cmp.Equal(got, w) {
			t.Fatalf("%t %s", ok, cmp.Diff(w, got))
		}
	})
}

func TestMarkersThatAreNotWhole(t *testing.T) {
	for _, args := range []string{
		"", "guard run", "guard run --inner", "guard run --inner --", "guard run --inner --server files --orig-hash x",
		"guard run --inner --server -- npx", "guard run --inner --orig-hash x -- npx", "guard run --inner --server a --server b -- npx",
		"guard run --inner --server a --required=false -- npx", "guard run --inner --server a --other b -- npx", "run --inner --server a -- npx",
	} {
		if w, ok := ParseWrapped(strings.Fields(args)); ok {
			t.Errorf("%q: %+v", args, w)
		}
	}
	if w, ok := ParseWrapped(strings.Fields("guard run --inner --required --orig-hash=x --server=files -- npx -- --required")); !ok || w.Server != "files" || w.Original != "x" || len(w.Command) != 3 {
		t.Errorf("another order: %t %+v", ok, w)
	}
}

func TestOriginalHash(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct {
		name, server string
		command      []string
		listed       bool
	}{
		{"one word", "files", []string{"npx"}, true},
		{"no list", "files", []string{"npx"}, false},
		{"another name", "file", []string{"npx"}, true},
		{"an argument", "files", []string{"npx", "-y"}, true},
		{"an empty argument", "files", []string{"npx", ""}, true},
		{"joined", "files", []string{"npx -y"}, true},
		{"the name runs on", "file", []string{"s", "npx"}, true},
		{"a blank in the second", "files", []string{"npx", "a b"}, true},
		{"a blank in the first", "files", []string{"npx a", "b"}, true},
	} {
		h := OriginalHash(c.server, c.command, c.listed)
		if len(h) != 64 {
			t.Errorf("%s: %d digits", c.name, len(h))
		}
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have one hash", c.name, other)
		}
		seen[h] = c.name
		w := Wrapped{Server: c.server, Original: h, Command: c.command}
		if !w.Unchanged() || w.Unlisted() == c.listed {
			t.Errorf("%s: unchanged %t, unlisted %t", c.name, w.Unchanged(), w.Unlisted())
		}
		w.Profile, w.Required = strings.Repeat("0", 64), true
		if again, ok := ParseWrapped(w.Args()); !ok || !again.Unchanged() {
			t.Errorf("%s: the markers changed the hash", c.name)
		}
	}
}

// Every way in which marker, store and original can stand to each other, and
// what the reference table then says.
func TestSpawnOfAWrappedCommand(t *testing.T) {
	command := []string{"/opt/files", "--all"}
	profile := func(tier Tier, required bool) Profile {
		return derive(t, Request{Server: "files", Command: command, Tier: tier, Required: required}, linux)
	}
	strict, standard := profile(Strict, true), profile(Standard, false)
	stored := []Entry{{"cursor", standard}, {"editor", strict}, {"editor", derive(t, Request{Server: "other", Command: command, Tier: Strict, Required: true}, linux)}}
	enrolled := Wrapped{Server: "files", Original: OriginalHash("files", command, true), Profile: standard.Hash(), Command: command}
	for _, c := range []struct {
		name   string
		change func(*Wrapped)
		stored []Entry
		want   Decision
	}{
		{"as enrolled", func(*Wrapped) {}, stored, Decision{Confine, Enrolled}},
		{"the other client's profile", func(w *Wrapped) { w.Profile, w.Required = strict.Hash(), true }, stored, Decision{Confine, Enrolled}},
		{"an argument more", func(w *Wrapped) { w.Command = append(slices.Clone(command), "-x") }, stored, Decision{Refuse, OriginalChanged}},
		{"an original hash that is none", func(w *Wrapped) { w.Original = "" }, stored, Decision{Refuse, OriginalChanged}},
		{"a digit less", func(w *Wrapped) { w.Profile = w.Profile[1:] }, stored, Decision{Refuse, MarkerMalformed}},
		{"in capitals", func(w *Wrapped) { w.Profile = strings.ToUpper(w.Profile) }, stored, Decision{Refuse, MarkerMalformed}},
		{"another hash", func(w *Wrapped) { w.Profile = strings.Repeat("0", 64) }, stored, Decision{Refuse, MarkerMismatched}},
		{"the hash of another server", func(w *Wrapped) { w.Profile = stored[2].Profile.Hash() }, stored, Decision{Refuse, MarkerMismatched}},
		{"stripped, and one profile demands it", func(w *Wrapped) { w.Profile = "" }, stored, Decision{Refuse, MarkerStripped}},
		{"stripped, and nobody demands it", func(w *Wrapped) { w.Profile = "" }, stored[:1], Decision{Confine, MarkerStripped}},
		{"wiped", func(*Wrapped) {}, nil, Decision{Unconfined, StoreWiped}},
		{"wiped, and the marker demands it", func(w *Wrapped) { w.Required = true }, stored[2:], Decision{Refuse, StoreWiped}},
		{"never enrolled", func(w *Wrapped) { w.Profile = "" }, nil, Decision{Unconfined, NotEnrolled}},
	} {
		w := enrolled
		c.change(&w)
		if got := Reference().Decide(w.Spawn(c.stored, true)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Reference().Decide(enrolled.Spawn(stored, false)); got != (Decision{Unconfined, BackendMissing}) {
		t.Errorf("without a sandbox: %v", got)
	}
}
