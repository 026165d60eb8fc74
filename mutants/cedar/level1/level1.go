// Package level1 compares Cedar policies with their mutants in memory: over a
// domain of requests (package domain), and over requests of a user's own.
//
// A mutant changes one policy, so that policy alone is evaluated again, by
// cedar-go's own Authorize; how the results of policies come to a decision is
// Rule, of which a test shows that it is Authorize's. Compared are the decision,
// the ids of the policies that made it, and those of the policies that failed.
//
// It promises that nothing is called equivalent that was not compared over all
// combinations of what it reads, or of what alone can show that it differs, and
// that what is equivalent carries a record to repeat the comparison by. It says
// nothing of requests outside of the domain, and nothing of whether a policy is
// wise.
package level1

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"

	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// Status is what became of a mutant.
type Status string

// The statuses; the zero value is none of them.
const (
	Killed        Status = "killed"          // a decision changed, of the user's requests if there are any
	KilledByOther Status = "killed-by-other" // no decision changes, but which policies made it or failed does
	Survived      Status = "survived"        // a decision changes, and of none of the user's requests
	Equivalent    Status = "equivalent"      // nothing differs over all combinations of what it and the others read, or over all of what the changed part reads, with what is around it
	Stillborn     Status = "stillborn"       // the schema's validator refuses it; with Strict, the gateway does for its id
	NotApplicable Status = "not-applicable"  // of a part that is not run: another shard, an unchanged policy
	Inconclusive  Status = "inconclusive"    // nothing differs over a domain that is not complete
)

// Rule is how policies, each holding, failing or neither, come to a decision.
type Rule string

// The rules.
const (
	Cedar  Rule = "cedar"  // Cedar's own: a policy that fails is skipped
	Strict Rule = "strict" // Postern's gateway: a request that the schema refuses is denied, and so is one at which a policy fails
)

// Case is a request of the user's own.
type Case struct {
	Request cedargo.Request
	Own     types.EntityMap // beside Input.Entities

	Decision string // "allow" or "deny", what the originals must come to; "" if it is not said
}

// Input is what to mutate and how to compare.
type Input struct {
	Policies []cedar.Policy
	Schema   *resolved.Schema
	Entities types.EntityMap
	Cases    []Case
	Rule     Rule                  // "" is Cedar
	Select   func(i int) bool      // which mutants are run, by their place among all; nil is all
	Only     func(policy int) bool // which policies' mutants are run; nil is all
	Without  []domain.Class        // for tests of the domain
	Limit    int                   // of the domain; 0 is its default
	Workers  int                   // 0 is one for each processor

	Tell func(what string, done, total int) // called now and then; nil is nobody
}

// Verdict is what became of one mutant.
type Verdict struct {
	cedar.Mutant
	Status Status

	// Unvalidated is what becomes of a stillborn mutant where nothing is
	// validated.
	Unvalidated Status

	Differs string   // "decision", "reasons" or "errors"; "" if nothing differs
	Witness *Witness // where it differs: nearest to the user's requests, if there are any
	Proof   *Proof   // of an equivalent mutant

	refused bool // it is stillborn, or were if it was run
}

// Dead is a part of a policy on which no decision depends alone.
type Dead struct {
	Mutant  string // the mutant without it
	Partner string // the mutant with which together a decision changes; "" if there is none
	Implied *Proof // that the schema says the same, where there is no partner; nil if it does not: the part is dead
}

// Proof is what is needed to compare again.
type Proof struct {
	Generator int    `json:"generator"` // domain.Version
	Requests  int    `json:"requests"`  // how many were compared: all, or, of a domain that is not complete, those that were made for the policy
	Domain    string `json:"domain"`    // SHA-256 of all requests that were derived
	Original  string `json:"original"`  // SHA-256 of the outcomes of the original policies at those compared
	Mutant    string `json:"mutant"`    // the same of the mutant

	Beside []string `json:"beside,omitempty"` // the policies that decide instead wherever its own comes to something else
}

// Result is what a run came to.
type Result struct {
	Verdicts []Verdict // in the order in which they are made
	Deciders []Decider // with Strict
	Schema   []Decider // of the schema, with Strict
	Store    []StoreVerdict
	Unasked  int // how many of the user's entities no policy looks up
	Dead     []Dead
	Left     []cedar.Left // what no operator changes
	Requests int          // of the domain
	Valid    int
	Complete bool
	Domain   string // its digest
	Cases    int

	Disagreed []int // the user's requests, from 1, that come to something else; nothing was compared then
}

// Run makes all mutants and compares. It fails only where ctx ends.
func Run(ctx context.Context, in Input) (*Result, error) {
	if in.Rule == "" {
		in.Rule = Cedar
	}
	if in.Workers == 0 {
		in.Workers = runtime.NumCPU()
	}
	r := &run{Input: in, validator: validate.New(in.Schema)}
	sources, err := r.make(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.derive(ctx, sources); err != nil {
		return nil, err
	}
	if err := r.originals(ctx); err != nil {
		return nil, err
	}
	if r.disagreements(); len(r.result.Disagreed) > 0 {
		return &r.result, nil
	}
	if err := r.each(ctx, "compared mutants", len(r.result.Verdicts), 1, r.judge); err != nil {
		return nil, err
	}
	if err := r.dead(ctx); err != nil {
		return nil, err
	}
	if len(in.Entities) > 0 {
		if err := r.store(ctx); err != nil {
			return nil, err
		}
	}
	if in.Rule == Strict {
		r.result.Deciders = r.deciders()
		if err := r.schemas(ctx); err != nil {
			return nil, err
		}
	}
	return &r.result, nil
}

type run struct {
	Input
	validator  *validate.Validator
	domain     *domain.Domain
	points     []point // the user's requests first, then the domain's
	everywhere []int   // all points
	compiled   []alone
	actions    byAction
	came       [][]comes // by point: what the original policies come to
	tallies    []votes   // by point
	original   string    // digest of all outcomes
	features   featured
	result     Result
}

// derive makes the requests.
func (r *run) derive(ctx context.Context, sources []domain.Source) error {
	d, err := domain.Make(ctx, r.Schema, sources, domain.Options{
		Entities: r.Entities, Without: r.Without, Limit: r.Limit, Workers: r.Workers, Tell: r.teller("policies with requests"),
	})
	if err != nil {
		return err
	}
	r.domain = d
	r.result.Requests, r.result.Valid, r.result.Complete, r.result.Domain = len(d.Requests), d.Valid, d.Complete, d.Digest
	r.result.Cases = len(r.Cases)
	r.points = r.ask(d)
	for i := range r.points {
		r.everywhere = append(r.everywhere, i)
	}
	r.features.of = make([]atomic.Pointer[[]string], len(r.points))
	return nil
}

// made is what one policy is made into.
type made struct {
	verdicts []Verdict
	left     []cedar.Left
}

// make makes all mutants, and says which of them the schema refuses and which
// are not run.
func (r *run) make(ctx context.Context) ([]domain.Source, error) {
	var kinds []types.EntityType
	for t := range r.Schema.Entities {
		kinds = append(kinds, t)
	}
	set := cedar.Set{Policies: r.Policies, Words: cedar.Gather(r.Policies, kinds)}
	of := make([]made, len(r.Policies))
	err := r.each(ctx, "mutated policies", len(of), 1, func(i int) {
		mutants, left := set.Mutants(i)
		of[i].left = left
		for _, m := range mutants {
			v := Verdict{Mutant: m}
			if m.Tree != nil && r.validator.Policy(r.Policies[i].ID, m.Tree) != nil || m.Operator == "duplicate-id" && r.Rule == Strict {
				v.Status, v.refused = Stillborn, true
			}
			of[i].verdicts = append(of[i].verdicts, v)
		}
	})
	if err != nil {
		return nil, err
	}
	var sources []domain.Source
	left := map[string]int{}
	for i, p := range r.Policies {
		sources = append(sources, domain.Source{Policy: i, Tree: p.Tree})
		for _, v := range of[i].verdicts {
			if !v.refused {
				sources = append(sources, domain.Source{Policy: i, Tree: v.Tree, Mutant: true, At: v.At})
			}
			if r.Select != nil && !r.Select(len(r.result.Verdicts)) || r.Only != nil && !r.Only(i) {
				v.Status = NotApplicable
			}
			r.result.Verdicts = append(r.result.Verdicts, v)
		}
		for _, l := range of[i].left {
			left[l.Kind] += l.Sites
		}
	}
	for _, kind := range cedar.Kinds() {
		if left[kind] > 0 {
			r.result.Left = append(r.result.Left, cedar.Left{Kind: kind, Sites: left[kind]})
		}
	}
	return sources, nil
}

// disagreements lists the user's requests that the originals decide otherwise
// than they say.
func (r *run) disagreements() {
	for i, c := range r.Cases {
		allows := r.Rule.allows(r.votes(i), r.points[i].valid)
		if c.Decision == "allow" && !allows || c.Decision == "deny" && allows {
			r.result.Disagreed = append(r.result.Disagreed, i+1)
		}
	}
}

// each does n things, several at once, each time some in a row, and tells how
// many are done.
func (r *run) each(ctx context.Context, what string, n, row int, do func(i int)) error {
	tell := r.teller(what)
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(r.Workers, n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(int64(row))) - row
				if from >= n {
					return
				}
				to := min(from+row, n)
				for i := from; i < to; i++ {
					do(i)
				}
				tell(int(done.Add(int64(to-from))), n)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// teller tells of one kind of work, not too often and never twice at once.
func (r *run) teller(what string) func(done, total int) {
	if r.Tell == nil {
		return func(int, int) {}
	}
	var mutex sync.Mutex
	var last time.Time
	return func(done, total int) {
		mutex.Lock()
		defer mutex.Unlock()
		if now := time.Now(); done == total || now.Sub(last) > 200*time.Millisecond {
			last = now
			r.Tell(what, done, total)
		}
	}
}
