package gate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	deliver = "deliver"
	publish = "publish"
)

func open(t testing.TB, o Options) *Gate {
	t.Helper()
	g, err := New([]string{deliver, publish}, o)
	if err != nil {
		t.Fatalf("making a gate: %v", err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Errorf("closing the gate: %v", err)
		}
	})
	return g
}

func update(t testing.TB, g *Gate, revision uint64, revoked ...string) {
	t.Helper()
	if err := g.Update(context.Background(), Update{revision, revoked}); err != nil {
		t.Fatalf("update %d: %v", revision, err)
	}
}

// ended is a context that has ended.
func ended(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// codeOf is the word of an error: "" for none, "?" for one that has none.
func codeOf(err error) Code {
	var refusal *Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Code
	}
	return "?"
}

// call enters and leaves at once.
func call(g *Gate, tool string) Code {
	leave, err := g.Enter(context.Background(), tool)
	if err == nil {
		leave()
	}
	return codeOf(err)
}

func wantCall(t testing.TB, g *Gate, tool string, want Code) {
	t.Helper()
	if got := call(g, tool); got != want {
		t.Errorf("a call of %s: %q, want %q", tool, got, want)
	}
}

func TestRevokesAndRestoresToolsOfTheOriginalSet(t *testing.T) {
	g := open(t, Options{})
	wantCall(t, g, deliver, "")
	wantCall(t, g, "strange", UnknownTool)
	update(t, g, 1, publish)
	wantCall(t, g, deliver, "")
	wantCall(t, g, publish, Revoked)
	update(t, g, 7, publish, deliver)
	wantCall(t, g, deliver, Revoked)
	wantCall(t, g, publish, Revoked)
	update(t, g, 8)
	wantCall(t, g, deliver, "")
	wantCall(t, g, publish, "")
	if diff := cmp.Diff(Status{Revision: 8}, g.Status()); diff != "" {
		t.Errorf("status:\n%s", diff)
	}
}

// The first column is the update as an operator's JSON; the gate is at
// revision 4 with one tool revoked, and admits the other.
var invalidUpdates = []struct {
	text string
	code Code
}{
	{`{"revision":0,"revoked":[]}`, Stale}, // (0, none) of the reference
	{`{"revision":1,"revoked":[]}`, Stale},
	{`{"revision":3,"revoked":["publish"]}`, Stale},
	{`{"revision":4,"revoked":["publish"]}`, Repeated},
	{`{"revision":4,"revoked":[]}`, Repeated},
	{`{"revision":18446744073709551615,"revoked":[]}`, Overflow},
	{`{"revision":18446744073709551616,"revoked":[]}`, Overflow},
	{`{"revision":18446744073709551621,"revoked":[]}`, Overflow}, // 5, in 64 bits
	{`{"revision":` + strings.Repeat("9", 4000) + `,"revoked":[]}`, Overflow},
	{`{"revision":true,"revoked":[]}`, RevisionType}, // (true, none) of the reference
	{`{"revision":false,"revoked":[]}`, RevisionType},
	{`{"revision":null,"revoked":[]}`, RevisionType},
	{`{"revision":"5","revoked":[]}`, RevisionType},
	{`{"revision":[5],"revoked":[]}`, RevisionType},
	{`{"revision":{},"revoked":[]}`, RevisionType},
	{`{"revision":5.0,"revoked":[]}`, RevisionType},
	{`{"revision":5.5,"revoked":[]}`, RevisionType},
	{`{"revision":5e0,"revoked":[]}`, RevisionType},
	{`{"revision":1E1,"revoked":[]}`, RevisionType},
	{`{"revision":-5,"revoked":[]}`, RevisionType},
	{`{"revision":-0,"revoked":[]}`, RevisionType},
	{`{"revision":05,"revoked":[]}`, Malformed},
	{`{"revision":+5,"revoked":[]}`, Malformed},
	{`{"revision":0x5,"revoked":[]}`, Malformed},
	{`{"revision":5,"revoked":["strange"]}`, UnknownTool}, // (1, unknown tool) of the reference
	{`{"revision":5,"revoked":["publish","strange"]}`, UnknownTool},
	{`{"revision":5,"revoked":["Publish"]}`, UnknownTool},
	{`{"revision":5,"revoked":["publish "]}`, UnknownTool},
	{`{"revision":5,"revoked":[""]}`, UnknownTool},
	{`{"revision":5,"revoked":["*"]}`, UnknownTool},
	{`{"revision":5,"revoked":["publish","publish"]}`, DuplicateTool},
	{`{"revision":5,"revoked":["publish","\u0070ublish"]}`, DuplicateTool},
	{`{"revision":5,"revoked":"publish"}`, Malformed}, // the wrong kind of list, as (1, a list) of the reference
	{`{"revision":5,"revoked":{"publish":true}}`, Malformed},
	{`{"revision":5,"revoked":{}}`, Malformed},
	{`{"revision":5,"revoked":null}`, Malformed},
	{`{"revision":5,"revoked":true}`, Malformed},
	{`{"revision":5,"revoked":[null]}`, Malformed},
	{`{"revision":5,"revoked":[["publish"]]}`, Malformed},
	{`{"revision":5,"revoked":[1]}`, Malformed},
	{`{"revision":5,"revoked":["publish",]}`, Malformed},
	{`{"revision":5}`, Malformed},
	{`{"revoked":[]}`, Malformed},
	{`{"revision":5,"revoked":[],"open":true}`, Malformed},
	{`{"revision":5,"Revoked":[]}`, Malformed},
	{`{"Revision":5,"revision":5,"revoked":[]}`, Malformed},
	{`{"revision":5,"revision":6,"revoked":[]}`, Malformed},
	{`{"revision":5,"revoked":["publish"],"revoked":[]}`, Malformed},
	{`{"revision":5,"revoked":[]}{}`, Malformed},
	{`{"revision":5,"revoked":[]},`, Malformed},
	{`[{"revision":5,"revoked":[]}]`, Malformed},
	{`[5,[]]`, Malformed},
	{`5`, Malformed},
	{`null`, Malformed},
	{`{}`, Malformed},
	{``, Malformed},
	{"\ufeff" + `{"revision":5,"revoked":[]}`, Malformed},
	{"{\"revision\":5,\"revoked\":[\"\xff\"]}", Malformed},
	{`{"revision":5,"revoked":["\ud800"]}`, Malformed},
	{`{"revision":5,"revoked":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, Malformed},
	{`{"revision":5,"revoked":[]}` + strings.Repeat(" ", maxUpdate), Malformed},
}

func TestAnInvalidUpdateClosesAdmissionUntilANewerValidOne(t *testing.T) {
	for _, c := range invalidUpdates {
		g := open(t, Options{})
		update(t, g, 4, publish)
		text := c.text[:min(len(c.text), 80)]
		inside, err := g.Enter(t.Context(), deliver)
		if err != nil {
			t.Fatal(err)
		}
		// With a call inside and no time to wait, one that is accepted expires.
		if got := codeOf(g.UpdateJSON(ended(t), []byte(c.text))); got != c.code {
			t.Errorf("%q: %q, want %q", text, got, c.code)
		}
		wantCall(t, g, deliver, Closed)
		wantCall(t, g, publish, Closed)
		inside()
		if got := codeOf(g.Update(t.Context(), Update{Revision: 4})); got != Repeated {
			t.Errorf("%q: then the known revision: %q, want %q", text, got, Repeated)
		}
		wantCall(t, g, deliver, Closed)
		update(t, g, 5, deliver)
		wantCall(t, g, deliver, Revoked)
		wantCall(t, g, publish, "")
	}
}

// What the text alone shows is refused with the zero Update, which no gate takes.
func TestParsingRefusesWhatTheTextAloneShows(t *testing.T) {
	for _, c := range invalidUpdates {
		u, err := ParseUpdate([]byte(c.text))
		want := c.code
		if slices.Contains([]Code{Stale, Repeated, UnknownTool, DuplicateTool}, want) {
			want = ""
		}
		if got := codeOf(err); got != want || (err != nil && (u.Revision != 0 || u.Revoked != nil)) {
			t.Errorf("%q: %q and revision %d, want %q", c.text[:min(len(c.text), 80)], got, u.Revision, want)
		}
	}
}

func TestParsesWhatIsWellFormed(t *testing.T) {
	for text, want := range map[string]Update{
		`{"revision":1,"revoked":[]}`:                                {1, []string{}},
		`{"revoked":["a","\u0062"],"revision":9007199254740993}`:     {9007199254740993, []string{"a", "b"}},
		" {\n\"revision\" : 18446744073709551614 , \"revoked\":[] }": {MaxRevision, []string{}},
	} {
		got, err := ParseUpdate([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
}

func TestTheZeroUpdateAndTheLargestRevisionAreRefused(t *testing.T) {
	g := open(t, Options{})
	for _, c := range []struct {
		update Update
		code   Code
	}{
		{Update{}, Stale},
		{Update{Revision: math.MaxUint64}, Overflow},
		{Update{Revision: MaxRevision}, ""},
		{Update{Revision: MaxRevision}, Repeated},
		{Update{Revision: math.MaxUint64}, Overflow},
		{Update{Revision: 1}, Stale},
	} {
		if got := codeOf(g.Update(t.Context(), c.update)); got != c.code {
			t.Errorf("revision %d: %q, want %q", c.update.Revision, got, c.code)
		}
		wantCall(t, g, deliver, map[bool]Code{true: "", false: Closed}[c.code == ""])
	}
}

func TestLeavingTwiceCountsOnce(t *testing.T) {
	g := open(t, Options{})
	first, err := g.Enter(t.Context(), deliver)
	if err != nil {
		t.Fatal(err)
	}
	second, err := g.Enter(t.Context(), deliver)
	if err != nil {
		t.Fatal(err)
	}
	first()
	first()
	if got := g.Status().Inside; got != 1 {
		t.Errorf("%d calls inside, want 1", got)
	}
	second()
}

func TestAnUpdateThatNeedsNoWaitDoesNotLookAtItsContext(t *testing.T) {
	g := open(t, Options{})
	for revision := range uint64(100) {
		if err := g.Update(ended(t), Update{Revision: revision + 1}); err != nil {
			t.Fatalf("revision %d: %v", revision+1, err)
		}
	}
}

// The update ends while the call's context does: the call was admitted, and
// gives its place up.
func TestACallThatGivesUpTooLateLeaves(t *testing.T) {
	g := open(t, Options{})
	turn := g.lineUp()
	late := g.arrive(deliver)
	if err := g.carryOut(t.Context(), turn, Update{Revision: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if got := g.Status().Inside; got != 1 {
		t.Fatalf("%d calls inside, want 1", got)
	}
	late.withdraw()
	if got := g.Status().Inside; got != 0 {
		t.Errorf("%d calls inside, want 0", got)
	}
}

func TestAnEndedContextAdmitsNothing(t *testing.T) {
	g := open(t, Options{})
	_, err := g.Enter(ended(t), deliver)
	if codeOf(err) != Canceled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a cancellation", err)
	}
	if got := g.Status().Inside; got != 0 {
		t.Errorf("%d calls inside, want 0", got)
	}
}

func TestTheCallerKeepsItsSlices(t *testing.T) {
	tools, revoked := []string{deliver, publish}, []string{publish}
	g, err := New(tools, Options{})
	if err != nil {
		t.Fatal(err)
	}
	update(t, g, 1, revoked...)
	tools[0], revoked[0] = "strange", "strange"
	wantCall(t, g, deliver, "")
	wantCall(t, g, publish, Revoked)
}

func TestAClosedGateRefusesEverything(t *testing.T) {
	g := open(t, Options{})
	leave, err := g.Enter(t.Context(), deliver)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	wantCall(t, g, deliver, Closed)
	if got := codeOf(g.Update(t.Context(), Update{Revision: 1})); got != Closed {
		t.Errorf("an update: %q, want %q", got, Closed)
	}
	wantCall(t, g, deliver, Closed)
}

func TestMalformedSetsOfToolsAreRefused(t *testing.T) {
	for name, tools := range map[string][]string{
		"twice":    {"a", "b", "a"},
		"empty":    {""},
		"long":     {strings.Repeat("a", MaxName+1)},
		"not text": {"\xff"},
		"too many": slices.Repeat([]string{"a"}, MaxTools+1),
	} {
		if _, err := New(tools, Options{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestOnlyAStateFileMakesAGatePersistent(t *testing.T) {
	if open(t, Options{}).Persistent() {
		t.Error("a gate without a file says that it is persistent")
	}
	if !open(t, Options{Path: t.TempDir() + "/state", Create: true}).Persistent() {
		t.Error("a gate with a file says that it is not persistent")
	}
	if _, err := New([]string{deliver}, Options{Known: 1}); codeOf(err) != StateMissing {
		t.Errorf("a known revision without a file: %v", err)
	}
}
