// Package view shows what became of the mutants of Cedar policies: as text, as
// JSON, as a mutation testing report, and as a page.
//
// It shows the policies themselves and requests made of their words, for they
// are the user's own; texts go through Cedar's printer, which escapes what a
// terminal would obey. It decides what of a result is not as required: a
// survivor or a dead part that nobody accepted, and an acceptance of what is
// not there.
package view

import (
	"encoding/json"
	"fmt"
	"slices"

	"postern/mutants/cedar"
	"postern/mutants/cedar/level1"
	"postern/mutants/cedar/load"
)

// Report is what a run came to; its JSON keys are permanent.
type Report struct {
	Rule     level1.Rule           `json:"rule"`
	Requests int                   `json:"requests"` // of the domain
	Valid    int                   `json:"valid"`    // of these, how many the schema accepts
	Complete bool                  `json:"complete"` // the valid ones are all combinations
	Domain   string                `json:"domain"`   // SHA-256 of the requests
	Cases    int                   `json:"cases"`    // requests of the user's own
	Counts   map[level1.Status]int `json:"counts"`
	Score    float64               `json:"score"` // percent: see Score

	Policies []PolicyRow  `json:"policies"`
	Mutants  []Row        `json:"mutants"`
	Dead     []DeadRow    `json:"dead"`
	Deciders []DeciderRow `json:"deciders"`
	Schema   []DeciderRow `json:"schema"`  // with strict: told, and never a failure
	Store    []StoreRow   `json:"store"`   // of the user's entities: told, and never a failure
	Unasked  int          `json:"unasked"` // how many of the user's entities no policy looks up
	Left     []cedar.Left `json:"left"`
	Stale    []string     `json:"stale"`    // acceptances of what is not there, or is another
	Unneeded []string     `json:"unneeded"` // acceptances of what needs none
	Failures []string     `json:"failures"` // why it is not as required; closed words
}

// PolicyRow is one policy.
type PolicyRow struct {
	ID     string                `json:"id"`
	File   string                `json:"file"`
	Line   int                   `json:"line"`
	Counts map[level1.Status]int `json:"counts"`
}

// Row is one mutant.
type Row struct {
	ID          string        `json:"id"`
	Policy      string        `json:"policy"`
	File        string        `json:"file"`
	Line        int           `json:"line"`
	Operator    string        `json:"operator"`
	Why         string        `json:"why"`
	Path        string        `json:"path"`
	Status      level1.Status `json:"status"`
	Unvalidated level1.Status `json:"unvalidated,omitempty"` // of a stillborn mutant, where nothing is validated
	Differs     string        `json:"differs,omitempty"`
	Digest      string        `json:"digest"`
	Accepted    bool          `json:"accepted,omitempty"`
	Before      string        `json:"before"`
	After       string        `json:"after"` // empty if the policy is gone
	Witness     *WitnessRow   `json:"witness,omitempty"`
	Proof       *level1.Proof `json:"proof,omitempty"`
}

// WitnessRow is a request as --requests reads it, and what it is.
type WitnessRow struct {
	Request  json.RawMessage `json:"request"`
	Valid    bool            `json:"valid"`
	Nearest  int             `json:"nearest,omitempty"`  // the user's request that it is, or is nearest to, from 1
	Distance int             `json:"distance,omitempty"` // in how many values it differs from that
}

// DeadRow is a part of a policy on which no decision depends alone.
type DeadRow struct {
	Mutant   string        `json:"mutant"`
	Digest   string        `json:"digest"`
	Partner  string        `json:"partner,omitempty"` // with which together a decision depends on it
	Implied  *level1.Proof `json:"implied,omitempty"` // the schema says the same: the part may stay
	Accepted bool          `json:"accepted,omitempty"`
}

// dead reports whether nothing depends on a part, and the schema does not say
// the same.
func (d DeadRow) dead() bool { return d.Partner == "" && d.Implied == nil }

// DeciderRow is a mutant of how decisions are made.
type DeciderRow struct {
	ID      string        `json:"id"`
	Why     string        `json:"why"`
	Status  level1.Status `json:"status"`
	Partner string        `json:"partner,omitempty"`
	Witness *WitnessRow   `json:"witness,omitempty"`
}

// StoreRow is a mutant of the user's entities.
type StoreRow struct {
	ID      string        `json:"id"`
	Why     string        `json:"why"`
	Status  level1.Status `json:"status"`
	Differs string        `json:"differs,omitempty"`
	Digest  string        `json:"digest"`
	Witness *WitnessRow   `json:"witness,omitempty"`
}

// New makes a report. Threshold is the score that is enough, in percent; below
// 0, no survivor is allowed.
func New(in level1.Input, result *level1.Result, accepted []load.Acceptance, threshold float64) (*Report, error) {
	r := &Report{
		Rule: in.Rule, Requests: result.Requests, Valid: result.Valid, Complete: result.Complete, Domain: result.Domain,
		Cases: result.Cases, Counts: map[level1.Status]int{}, Left: list(result.Left),
		Stale: []string{}, Unneeded: []string{}, Failures: []string{}, Dead: []DeadRow{}, Deciders: []DeciderRow{}, Schema: []DeciderRow{},
	}
	for _, p := range in.Policies {
		r.Policies = append(r.Policies, PolicyRow{p.ID, p.File, p.Line, map[level1.Status]int{}})
	}
	for _, v := range result.Verdicts {
		if err := r.add(in.Policies[v.Policy], v); err != nil {
			return nil, err
		}
	}
	for _, d := range result.Dead {
		r.Dead = append(r.Dead, DeadRow{Mutant: d.Mutant, Partner: d.Partner, Implied: d.Implied, Digest: r.find(d.Mutant).Digest})
	}
	for _, part := range []struct {
		from []level1.Decider
		to   *[]DeciderRow
	}{{result.Deciders, &r.Deciders}, {result.Schema, &r.Schema}} {
		for _, d := range part.from {
			w, err := witness(d.Witness)
			if err != nil {
				return nil, err
			}
			*part.to = append(*part.to, DeciderRow{d.ID, d.Why, d.Status, d.Partner, w})
		}
	}
	r.Unasked, r.Store = result.Unasked, []StoreRow{}
	for _, v := range result.Store {
		w, err := witness(v.Witness)
		if err != nil {
			return nil, err
		}
		r.Store = append(r.Store, StoreRow{v.ID, v.Why, v.Status, v.Differs, v.Digest, w})
	}
	r.accept(accepted)
	r.judge(threshold)
	return r, nil
}

func list[T any](in []T) []T { return append([]T{}, in...) }

func (r *Report) add(p cedar.Policy, v level1.Verdict) error {
	w, err := witness(v.Witness)
	if err != nil {
		return err
	}
	r.Counts[v.Status]++
	r.Policies[v.Policy].Counts[v.Status]++
	r.Mutants = append(r.Mutants, Row{
		ID: v.ID, Policy: p.ID, File: p.File, Line: p.Line, Operator: v.Operator, Why: v.Why, Path: v.At.String(),
		Status: v.Status, Unvalidated: v.Unvalidated, Differs: v.Differs, Digest: v.Digest, Before: v.Before, After: v.After,
		Witness: w, Proof: v.Proof,
	})
	return nil
}

// find finds a mutant by its id.
func (r *Report) find(id string) *Row {
	for i := range r.Mutants {
		if r.Mutants[i].ID == id {
			return &r.Mutants[i]
		}
	}
	return &Row{}
}

// accept marks what was accepted, and tells what of it is not there.
func (r *Report) accept(accepted []load.Acceptance) {
	for _, a := range accepted {
		row := r.find(a.Mutant)
		if row.ID == "" || row.Digest != a.Digest {
			r.Stale = append(r.Stale, a.Mutant)
			continue
		}
		needed := row.Status == level1.Survived || row.Status == level1.Inconclusive || row.Status == level1.NotApplicable
		row.Accepted = needed
		for i, d := range r.Dead {
			if d.Mutant == a.Mutant && d.dead() {
				r.Dead[i].Accepted, needed = true, true
			}
		}
		if !needed {
			r.Unneeded = append(r.Unneeded, a.Mutant)
		}
	}
}

func (r *Report) judge(threshold float64) {
	seen := r.Counts[level1.Killed] + r.Counts[level1.KilledByOther]
	survived, inconclusive := 0, 0
	for _, m := range r.Mutants {
		switch {
		case m.Accepted:
		case m.Status == level1.Survived:
			survived++
		case m.Status == level1.Inconclusive:
			inconclusive++
		}
	}
	if all := seen + survived + inconclusive; all > 0 {
		r.Score = 100 * float64(seen) / float64(all)
	}
	fail := func(yes bool, why string, n int) {
		if yes {
			r.Failures = append(r.Failures, fmt.Sprintf(why, n))
		}
	}
	if threshold >= 0 {
		if r.Score < threshold {
			r.Failures = append(r.Failures, fmt.Sprintf("the score is below %g", threshold))
		}
	} else {
		fail(survived > 0, "survivors: %d", survived)
		fail(inconclusive > 0, "inconclusive: %d", inconclusive)
	}
	dead := 0
	for _, d := range r.Dead {
		if d.dead() && !d.Accepted {
			dead++
		}
	}
	fail(dead > 0, "parts on which nothing depends: %d", dead)
	fail(len(r.Stale) > 0, "stale acceptances: %d", len(r.Stale))
	fail(slices.ContainsFunc(r.Deciders, func(d DeciderRow) bool { return d.Status != level1.Killed && d.Partner == "" }),
		"deciders not killed: %d", len(r.Deciders))
}

// witness writes a request as --requests reads it.
func witness(w *level1.Witness) (*WitnessRow, error) {
	if w == nil {
		return nil, nil
	}
	decision := "deny"
	if w.Allows {
		decision = "allow"
	}
	b, err := json.Marshal(struct {
		Principal string         `json:"principal"`
		Action    string         `json:"action"`
		Resource  string         `json:"resource"`
		Context   json.Marshaler `json:"context"`
		Entities  json.Marshaler `json:"entities"`
		Decision  string         `json:"decision"`
	}{w.Request.Principal.String(), w.Request.Action.String(), w.Request.Resource.String(), w.Request.Context, w.Own, decision})
	if err != nil {
		return nil, fmt.Errorf("writing a request: %w", err)
	}
	return &WitnessRow{b, w.Valid, w.Case, w.Distance}, nil
}
