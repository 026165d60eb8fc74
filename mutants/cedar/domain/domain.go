// Package domain makes the requests over which Cedar policies and their
// mutants are compared.
//
// They are derived from the schema, from the policies, and from all mutants:
// for each place that any of them reads, the values at which one of them could
// decide otherwise, in all combinations. What the schema permits comes first;
// then what it refuses (Hostile), for a decider that does not ask the schema.
//
// A Complete domain holds all combinations. It is no proof about requests
// outside of it: a policy may compare with what only a calculation makes. Where
// there are too many combinations, each policy's own come in all combinations
// as far as possible (Whole says of which), beside a choice of the others', and
// the domain is not Complete: that no decision differs over it proves nothing.
package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// Version is that of the rules by which requests are made. It goes into proof
// records.
const Version = 1

// The sizes without Options.
const (
	DefaultLimit = 20_000 // valid requests
	hostileLimit = 4_000
)

// Options are optional.
type Options struct {
	Entities types.EntityMap // the user's own; requests are made with them and beside them
	Without  []Class         // left out, to see that they are needed
	Limit    int             // valid requests at most; 0 is DefaultLimit
}

// Request is one question with the entities that it is asked about.
type Request struct {
	cedargo.Request
	Own   types.EntityMap // beside the domain's Store
	Valid bool            // the schema accepts request and entities
}

// Domain is a list of different requests, the valid ones first.
type Domain struct {
	Requests []Request
	Valid    int             // how many are valid
	Complete bool            // the valid ones are all combinations
	Whole    []bool          // of a policy, by its index: they are all combinations of what it and its mutants read
	Store    types.EntityMap // the user's entities and the schema's actions
	Digest   string          // SHA-256 of all requests in their order
}

// New makes the domain for a set of policies and their mutants.
func New(schema *resolved.Schema, sources []Source, o Options) *Domain {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	d := &maker{
		Domain: Domain{Complete: true, Store: withActions(schema, o.Entities)},
		schema: schema, reads: gather(sources), options: o, seen: map[[32]byte]bool{},
		validator: validate.New(schema), digest: sha256.New(),
	}
	for _, s := range sources {
		d.policies = max(d.policies, s.Policy+1)
	}
	d.Whole = slices.Repeat([]bool{true}, d.policies)
	spaces := d.spaces()
	for _, s := range spaces {
		d.fill(s, o.Limit/len(spaces))
	}
	d.Valid = len(d.Requests)
	if !slices.Contains(o.Without, Hostile) {
		d.hostile(sources)
	}
	d.Digest = hex.EncodeToString(d.digest.Sum(nil))
	return &d.Domain
}

type maker struct {
	Domain
	schema    *resolved.Schema
	reads     *reads
	options   Options
	policies  int
	validator *validate.Validator
	seen      map[[32]byte]bool
	digest    hash.Hash
}

// spaces lists every kind of request that the schema knows, in a fixed order.
func (m *maker) spaces() []*space {
	var actions []resolved.Action
	for _, a := range m.schema.Actions {
		if a.AppliesTo != nil {
			actions = append(actions, a)
		}
	}
	slices.SortFunc(actions, func(a, b resolved.Action) int { return strings.Compare(a.Entity.UID.String(), b.Entity.UID.String()) })
	var out []*space
	for _, a := range actions {
		for _, principal := range sortedTypes(a.AppliesTo.Principals) {
			for _, resource := range sortedTypes(a.AppliesTo.Resources) {
				s := &space{
					schema: m.schema, reads: m.reads, store: m.options.Entities, without: m.options.Without, action: a,
					typeOf: map[string]types.EntityType{"principal": principal, "resource": resource},
				}
				s.build()
				out = append(out, s)
			}
		}
	}
	return out
}

func sortedTypes(in []types.EntityType) []types.EntityType {
	out := slices.Clone(in)
	slices.Sort(out)
	return slices.Compact(out)
}

// add takes a request unless it is there; a valid one must be valid.
func (m *maker) add(r Request, hostile bool) {
	r.Valid = m.validator.Request(r.Request) == nil && m.validator.Entities(r.Own) == nil
	if r.Valid == hostile {
		return
	}
	written := sha256.New()
	write(written, r)
	sum := [32]byte(written.Sum(nil))
	if !m.seen[sum] {
		m.seen[sum] = true
		m.digest.Write(sum[:])
		m.Requests = append(m.Requests, r)
	}
}

// Get finds an entity of a request.
func (d *Domain) Get(r Request) types.EntityGetter { return overlay{r.Own, d.Store} }

// overlay is a request's own entities before those of all.
type overlay struct{ own, store types.EntityMap }

func (o overlay) Get(uid types.EntityUID) (types.Entity, bool) {
	if e, ok := o.own[uid]; ok {
		return e, true
	}
	e, ok := o.store[uid]
	return e, ok
}

// withActions adds the schema's actions, with all above them, to a store.
func withActions(schema *resolved.Schema, store types.EntityMap) types.EntityMap {
	out := store.Clone()
	if out == nil {
		out = types.EntityMap{}
	}
	for uid := range schema.Actions {
		if _, there := out[uid]; !there {
			above := map[types.EntityUID]bool{}
			climb(schema, uid, above)
			var list []types.EntityUID
			for p := range above {
				list = append(list, p)
			}
			out[uid] = types.Entity{UID: uid, Parents: types.NewEntityUIDSet(list...)}
		}
	}
	return out
}

func climb(schema *resolved.Schema, uid types.EntityUID, above map[types.EntityUID]bool) {
	for p := range schema.Actions[uid].Entity.Parents.All() {
		if !above[p] {
			above[p] = true
			climb(schema, p, above)
		}
	}
}

// write writes a request so that equal ones are written equally.
func write(w io.Writer, r Request) {
	fmt.Fprintf(w, "%s\n%s\n%s\n%s\n", r.Principal, r.Action, r.Resource, r.Context.MarshalCedar())
	for _, uid := range sortedUIDs(r.Own) {
		e := r.Own[uid]
		var above []string
		for p := range e.Parents.All() {
			above = append(above, p.String())
		}
		slices.Sort(above)
		fmt.Fprintf(w, "%s\n%q\n%s\n%s\n", uid, above, e.Attributes.MarshalCedar(), e.Tags.MarshalCedar())
	}
}

func sortedUIDs(m types.EntityMap) []types.EntityUID {
	out := make([]types.EntityUID, 0, len(m))
	for uid := range m {
		out = append(out, uid)
	}
	slices.SortFunc(out, func(a, b types.EntityUID) int {
		if c := strings.Compare(string(a.Type), string(b.Type)); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return out
}
