package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/harness/level2"
	"postern/observers/canary"
	"postern/reports"
)

// rulesID names the mutants of what decides, all of them together, for --only.
const rulesID = "rules"

// allRules is the plan of the reference's mutants. It is made once: it takes a
// second, and nothing changes it.
var allRules = sync.OnceValues(func() (*level2.Plan, error) {
	p, err := level2.NewPlan(context.Background(), policy.Reference())
	if err != nil {
		return nil, fmt.Errorf("planning the mutants of what decides: %w", err)
	}
	return p, nil
})

// Rules is every mutant of what decides in a campaign of a seed, as foretold.
func Rules(seed int64) ([]level2.Row, error) {
	p, err := allRules()
	if err != nil {
		return nil, err
	}
	return p.Sampled(seed).Rows, nil
}

// rules reports whether they are among what was asked for.
func (o Options) rules() bool {
	return o.Shard <= 1 && len(o.Families) == 0 && (o.Select == nil || o.Select(Spec{ID: rulesID}))
}

// ruleSteps is how many steps of the campaign they are.
func (o Options) ruleSteps() int {
	if o.rules() {
		return 1
	}
	return 0
}

// rules drives the mutants of what decides.
func (l *lab) rules(ctx context.Context, o Options) (reports.Rules, error) {
	if !o.rules() {
		return reports.Rules{}, nil
	}
	plan, err := allRules()
	if err != nil {
		return reports.Rules{}, err
	}
	o.reporting()(Event{Started: rulesID})
	report, err := plan.Sampled(o.Seed).Drive(ctx, level2.Options{
		Upstream: l.binaries.Upstream, Enrol: l.enrol, Dir: l.dir, Contain: l.contain, Containers: o.Parallel,
		Minted: func(entries []canary.Entry) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.minted = append(l.minted, entries...)
		},
	})
	if err != nil {
		return reports.Rules{}, orCanceled(ctx, fmt.Errorf("%w: %w", ErrFailed, err))
	}
	for _, row := range report.Rows {
		for _, d := range row.Driven {
			if d.Err != nil {
				o.reporting()(Event{Err: fmt.Errorf("%s: %w", row.Mutant, d.Err)})
			}
		}
	}
	o.reporting()(Event{Measured: rulesID})
	out := reports.Rules{
		Policies: proof(plan.Policies), Labels: proof(plan.Labels), Wiring: proof(plan.Wiring),
		Sessions: report.Sessions, Servers: report.Servers, Containers: report.Containers,
	}
	for _, row := range report.Rows {
		out.Mutants = append(out.Mutants, ruled(row))
	}
	return out, nil
}

func proof(p level2.Proof) reports.Proof {
	return reports.Proof{Generator: p.Generator, Size: p.Size, Domain: p.Domain, Outcomes: p.Outcomes}
}

// plannedRules is what the manifest says of the mutants of what decides.
func plannedRules(seed int64) []reports.PlannedRule {
	rows, err := Rules(seed)
	if err != nil {
		return nil // no campaign without them is accepted
	}
	var out []reports.PlannedRule
	for _, row := range rows {
		out = append(out, plannedRule(row))
	}
	return out
}

func plannedRule(row level2.Row) reports.PlannedRule {
	p := reports.PlannedRule{
		Mutant: slug(row.Mutant), Layer: string(row.Layer), Operator: slug(row.Operator), Control: string(ControlOf(row.Layer)),
		Foretold: reports.Status(row.Status), Reason: string(row.Reason), Partner: slug(row.Partner), Witnesses: []reports.Witness{},
	}
	for _, d := range row.Driven {
		p.Witnesses = append(p.Witnesses, reports.Witness{
			Direction: string(d.Direction), Place: string(d.Place), Stop: string(d.Stop), Opened: d.Opened, Contained: d.Contained,
		})
	}
	return p
}

// ruled is a row that was driven, whose Status is what came of it. What was
// foretold of it is in the plan.
func ruled(row level2.Row) reports.Rule {
	foretold := row
	foretold.Status = row.Foretold
	r := reports.Rule{PlannedRule: plannedRule(foretold), Status: reports.Status(row.Status), Drives: []reports.Drive{}}
	for _, d := range row.Driven {
		r.Drives = append(r.Drives, reports.Drive{Status: reports.Status(d.Status), Original: heard(d.Original), Mutant: heard(d.Mutant)})
	}
	return r
}

func heard(h level2.Heard) reports.Session {
	return reports.Session{Sound: h.Sound, Calls: h.Calls, Sightings: h.Sightings, Sent: h.Sent, Code: string(h.Code), Told: h.Told, Exhaust: reports.Exhaust(h.Exhaust)}
}

// rejudgeRules recomputes what became of each mutant from what was heard.
func rejudgeRules(rules reports.Rules) []string {
	var problems []string
	for i, r := range rules.Mutants {
		var driven []level2.Drive
		same := len(r.Drives) == len(r.Witnesses)
		for j := range min(len(r.Drives), len(r.Witnesses)) {
			d := level2.Drive{
				Direction: level2.Direction(r.Witnesses[j].Direction), Place: level2.Place(r.Witnesses[j].Place), Stop: level2.Code(r.Witnesses[j].Stop),
				Original: reread(r.Drives[j].Original), Mutant: reread(r.Drives[j].Mutant), Status: level2.Error,
			}
			if r.Drives[j].Status != reports.Failed { // of which nothing was heard
				d.Status = level2.Judge(d)
			}
			same = same && string(d.Status) == string(r.Drives[j].Status)
			driven = append(driven, d)
		}
		if !same || level2.Settle(level2.Status(r.Foretold), driven) != level2.Status(r.Status) {
			problems = append(problems, fmt.Sprintf("/rules/mutants/%d: its status does not follow from what was heard", i))
		}
	}
	return problems
}

func reread(s reports.Session) level2.Heard {
	return level2.Heard{Sound: s.Sound, Calls: s.Calls, Sightings: s.Sightings, Sent: s.Sent, Code: level2.Code(s.Code), Told: s.Told, Exhaust: level2.Exhaust(s.Exhaust)}
}

// foreignRules holds the records of what was compared in memory against what
// this build comes to.
func foreignRules(rules reports.Rules) []string {
	plan, err := allRules()
	if err != nil {
		return []string{"the mutants of what decides cannot be planned"}
	}
	if len(rules.Mutants) > 0 && (rules.Policies != proof(plan.Policies) || rules.Labels != proof(plan.Labels) || rules.Wiring != proof(plan.Wiring)) {
		return []string{"/rules: what was compared in memory is not what this version of Postern compares"}
	}
	return nil
}

// slug is a mutant's id in the evidence's alphabet.
func slug(id string) string {
	folded := strings.Map(func(r rune) rune {
		if r == '/' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(id))
	words := strings.FieldsFunc(folded, func(r rune) bool { return r == '-' })
	return strings.ReplaceAll(strings.Join(words, "-"), "/-", "/")
}

// ControlOf is what a mutant of a layer weakens.
func ControlOf(l level2.Layer) confine.Control {
	return map[level2.Layer]confine.Control{
		level2.Frames: gateway.FrameStrict, level2.Catalogue: gateway.CataloguePinned, level2.Aliases: gateway.CatalogueAliases,
		level2.Gate: gateway.GateAsked, level2.Arguments: gateway.CallArguments, level2.Validation: gateway.PolicyValidation,
		level2.Errors: gateway.PolicyErrors, level2.Policy: gateway.PolicyDecision, level2.Labels: gateway.CeilingLabels,
		level2.Ceilings: gateway.CeilingSinks, level2.Answers: gateway.CeilingAnswers, level2.Asides: gateway.AnswersAlone, level2.Calls: gateway.CallsAlone, level2.Audit: gateway.AuditFirst,
		level2.Commitments: gateway.AuditCommitments, level2.Rows: gateway.AuditRows,
		level2.Spans: gateway.TelemetrySpans, level2.Log: gateway.TelemetryLog,
	}[l]
}

// lostRules are the mutants of what decides that did not come out as foretold.
func lostRules(e reports.Evidence) bool {
	return slices.ContainsFunc(e.Rules.Mutants, func(r reports.Rule) bool { return !r.AsForetold() })
}
