package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"postern/mutants/cedar/level1"
	"postern/mutants/cedar/load"
)

const source = `@id("all") permit (principal, action, resource);

@id("p")
forbid (principal, action, resource)
when { context.n > 1 && "a;b" like "*<script>*" }; // done; yes
@id("dead") permit (principal, action, resource) when { context.n > 1 };`

const schemaText = `entity User; entity Doc; action "see" appliesTo { principal: User, resource: Doc, context: { "n": Long } };`

func report(t *testing.T, cases []level1.Case, accepted []load.Acceptance, threshold float64) *Report {
	t.Helper()
	return reportOf(t, source, cases, accepted, threshold)
}

func reportOf(t *testing.T, source string, cases []level1.Case, accepted []load.Acceptance, threshold float64) *Report {
	t.Helper()
	var s schema.Schema
	if err := s.UnmarshalCedar([]byte(schemaText)); err != nil {
		t.Fatal(err)
	}
	in := level1.Input{Cases: cases, Rule: level1.Cedar}
	var err error
	if in.Schema, err = s.Resolve(); err != nil {
		t.Fatal(err)
	}
	if in.Policies, err = load.Parse("p.cedar", []byte(source)); err != nil {
		t.Fatal(err)
	}
	result, err := level1.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(in, result, accepted, threshold)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func accept(r *Report, id string) load.Acceptance {
	return load.Acceptance{Mutant: id, Digest: r.find(id).Digest, Reason: "r", Author: "a", Date: "2026-01-31"}
}

func TestWhatIsDeadFailsUnlessItIsAccepted(t *testing.T) {
	r := report(t, nil, nil, -1)
	var dead []load.Acceptance
	for _, d := range r.Dead {
		if d.Partner == "" {
			dead = append(dead, accept(r, d.Mutant))
		}
	}
	if len(dead) == 0 || len(r.Failures) != 1 || !strings.HasPrefix(r.Failures[0], "parts on which nothing depends") {
		t.Fatalf("%d dead, failures %v", len(dead), r.Failures)
	}
	if r := report(t, nil, dead, -1); len(r.Failures) > 0 {
		t.Errorf("all accepted: %v", r.Failures)
	}
	other := slices.Clone(dead)
	other[0].Digest = "other"
	if r := report(t, nil, other, -1); len(r.Stale) != 1 || len(r.Failures) != 2 {
		t.Errorf("another digest: stale %v, failures %v", r.Stale, r.Failures)
	}
	other[0].Mutant = "gone/drop-policy"
	if r := report(t, nil, other, -1); len(r.Stale) != 1 || len(r.Failures) != 2 {
		t.Errorf("no such mutant: stale %v, failures %v", r.Stale, r.Failures)
	}
	needless := append(dead, accept(r, "all/flip-effect"))
	if r := report(t, nil, needless, -1); !slices.Equal(r.Unneeded, []string{"all/flip-effect"}) || len(r.Failures) > 0 {
		t.Errorf("what is killed anyway: %v, %v", r.Unneeded, r.Failures)
	}
}

// What the schema says already is told in words of its own, fails nothing, and
// needs nobody's acceptance.
func TestWhatTheSchemaImpliesIsToldAndFailsNothing(t *testing.T) {
	const whole = `@id("p") permit (principal, action == Action::"see", resource) when { context has n && context.n != 5 };`
	const part = "p/drop-operand@when[0]"
	r := reportOf(t, whole, nil, nil, -1)
	if len(r.Failures) > 0 || len(r.Dead) != 1 || r.Dead[0].Mutant != part || r.Dead[0].Implied == nil {
		t.Fatalf("%v, %+v", r.Failures, r.Dead)
	}
	var text, page bytes.Buffer
	if err := errors.Join(r.Text(&text, func(s string) string { return "<" + s + ">" }), r.HTML(&page)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\nimplied by the schema  "+part) || strings.Contains(text.String(), "<dead>") {
		t.Error(text.String())
	}
	if !strings.Contains(page.String(), "Implied by the schema") || strings.Contains(page.String(), "Dead:") {
		t.Error(page.String())
	}
	if r := reportOf(t, whole, nil, []load.Acceptance{accept(r, part)}, -1); !slices.Equal(r.Unneeded, []string{part}) || len(r.Failures) > 0 {
		t.Errorf("accepted: %v, %v", r.Unneeded, r.Failures)
	}
}

func TestSurvivorsAndTheScore(t *testing.T) {
	all := report(t, nil, nil, -1)
	killed := all.find("all/flip-effect").Witness
	if killed == nil {
		t.Fatal("a kill without a witness")
	}
	cases := []level1.Case{one(t, killed.Request)}
	r := report(t, cases, nil, -1)
	if r.Counts[level1.Survived] == 0 || r.Score >= 100 || !strings.HasPrefix(strings.Join(r.Failures, ";"), "survivors") {
		t.Errorf("%v, score %g, %v", r.Counts, r.Score, r.Failures)
	}
	if low := report(t, cases, nil, r.Score); strings.Contains(strings.Join(low.Failures, ";"), "score") || strings.Contains(strings.Join(low.Failures, ";"), "survivors") {
		t.Errorf("a threshold that is reached: %v", low.Failures)
	}
	if high := report(t, cases, nil, r.Score+1); !strings.Contains(strings.Join(high.Failures, ";"), "score is below") {
		t.Errorf("a threshold that is not reached: %v", high.Failures)
	}
}

// one reads a printed witness as --requests does.
func one(t *testing.T, raw json.RawMessage) level1.Case {
	t.Helper()
	c, what := load.One(raw)
	if what != "" {
		t.Fatal(what)
	}
	return level1.Case{Request: c.Request, Own: c.Own, Decision: c.Decision}
}

func TestDiff(t *testing.T) {
	got := Diff("a\nb\nc", "a\nx\nc\nd")
	if diff := cmp.Diff([]string{"  a", "- b", "+ x", "  c", "+ d"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"- a", "- b"}, Changed("a\nb", "")); diff != "" {
		t.Error(diff)
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := report(t, nil, nil, -1).Text(&out, func(s string) string { return "<" + s + ">" }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"POLICY", "p.cedar:3", "<dead>  ", "nothing depends on this", "    - ", "digest ", "<not as required>: parts on which nothing depends", "all combinations"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, out.String())
		}
	}
}

func TestAPageThatNeedsNothingElse(t *testing.T) {
	var out bytes.Buffer
	if err := report(t, nil, nil, -1).HTML(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if strings.Contains(page, "<script") || regexp.MustCompile(`(src|href)=`).MatchString(page) {
		t.Error("a policy's text is taken for markup, or the page asks for something")
	}
	for _, want := range []string{"<h2>Policies</h2>", "Dead:", "all/flip-effect", "</html>", `class="gone"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// What is left open is shown by itself, and where nothing survived that is said.
func TestAPageSaysWhatIsLeftOpen(t *testing.T) {
	for _, open := range []bool{false, true} {
		r := report(t, nil, nil, -1)
		if open {
			r.Mutants[0].Status = level1.Inconclusive
		}
		var out bytes.Buffer
		if err := r.HTML(&out); err != nil {
			t.Fatal(err)
		}
		page := out.String()
		if strings.Contains(page, "<h2>Inconclusive</h2>") != open || !strings.Contains(page, "<p>None. Only requests") {
			t.Errorf("with a mutant left open (%v) the page is wrong", open)
		}
	}
}

func TestStryker(t *testing.T) {
	var out bytes.Buffer
	r := report(t, nil, nil, -1)
	if err := r.Stryker(&out, map[string]string{"p.cedar": source}); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("testdata/mutation-testing-report.json")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(whole); err != nil {
		t.Error(err)
	}
	var got stryker
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	file := got.Files["p.cedar"]
	if got.SchemaVersion != "2" || file.Source != source || file.Language != "cedar" || len(file.Mutants) != len(r.Mutants) {
		t.Errorf("%+v", got)
	}
	for _, m := range file.Mutants {
		l := m.Location
		if l.Start.Line < 1 || l.Start.Column < 1 || l.End.Line < l.Start.Line || l.End.Line == l.Start.Line && l.End.Column <= l.Start.Column {
			t.Errorf("%s: %+v", m.ID, l)
		}
	}
	want := strykerLocation{position{3, 1}, position{5, 51}}
	if got := locate(source, 3); got != want {
		t.Errorf("%+v", got)
	}
}

func TestStatusesAreMapped(t *testing.T) {
	for _, s := range statuses {
		if strykerStatus[s] == "" {
			t.Errorf("%s is not mapped", s)
		}
	}
}
