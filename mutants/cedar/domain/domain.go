// Package domain makes the requests over which Cedar policies and their
// mutants are compared.
//
// They are derived from the schema, from the policies, and from all mutants:
// for each place that any of them reads, the values at which one of them could
// decide otherwise, in all combinations. What the schema permits comes first;
// then what it refuses (Hostile), for a decider that does not ask the schema.
//
// A Complete domain holds all combinations. It is no proof about requests
// outside of it: a policy may compare with what only a calculation makes.
//
// Where there are too many combinations, each policy gets requests of its own
// (Own): what it and its mutants read comes in all combinations, if these are
// not too many either (Whole), and otherwise around requests at which it holds;
// what the others read is a choice. Such a domain is not Complete: that no
// decision differs over it proves nothing.
package domain

import (
	"context"
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

	"postern/mutants/cedar"
)

// Version is that of the rules by which requests are made. It goes into proof
// records.
const Version = 2

// The sizes without Options.
const (
	DefaultLimit = 20_000 // valid requests, unless EachLimit for every policy is more
	EachLimit    = 256
	hostileLimit = 4_000 // unless hostileEach for every policy is more
	hostileEach  = 48
)

// Options are optional.
type Options struct {
	Entities types.EntityMap       // the user's own; requests are made with them and beside them
	Without  []Class               // left out, to see that they are needed
	Limit    int                   // valid requests at most; 0 is the default
	Workers  int                   // 0 is one
	Tell     func(done, total int) // called now and then, of the policies that have their requests
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
	Own      [][]int32       // of a policy: the requests that were made for it; nil if Complete
	Store    types.EntityMap // the user's entities and the schema's actions
	Digest   string          // SHA-256 of all requests in their order

	maker *maker
}

// New makes the domain for a set of policies and their mutants.
func New(schema *resolved.Schema, sources []Source, o Options) *Domain {
	d, _ := Make(context.Background(), schema, sources, o) // only a context's end is an error
	return d
}

// Make is New that ends with its context.
func Make(ctx context.Context, schema *resolved.Schema, sources []Source, o Options) (*Domain, error) {
	m := &maker{
		Domain: Domain{Store: withActions(schema, o.Entities)},
		schema: schema, options: o, seen: map[[32]byte]int32{},
		validator: validate.New(schema), digest: sha256.New(),
	}
	m.maker = m
	m.divide(sources)
	if m.options.Limit == 0 {
		m.options.Limit = max(DefaultLimit, EachLimit*len(m.policies))
	}
	if err := m.make(ctx); err != nil {
		return nil, err
	}
	m.Digest = hex.EncodeToString(m.digest.Sum(nil))
	return &m.Domain, nil
}

type maker struct {
	Domain
	schema    *resolved.Schema
	options   Options
	tags      []string // that stand in any source
	policies  []*subject
	every     []kind
	validator *validate.Validator
	seen      map[[32]byte]int32 // where a request stands
	digest    hash.Hash
}

// subject is one policy with its mutants.
type subject struct {
	original *cedar.Tree
	scopes   []*cedar.Tree // mutants that ask another scope
	reads    *reads
}

// divide gathers what each policy and its mutants read.
func (m *maker) divide(sources []Source) {
	m.tags = tagsOf(sources)
	var of [][]Source
	for _, s := range sources {
		for len(of) <= s.Policy {
			of = append(of, nil)
			m.policies = append(m.policies, &subject{})
		}
		of[s.Policy] = append(of[s.Policy], s)
		switch p := m.policies[s.Policy]; {
		case !s.Mutant:
			p.original = s.Tree
		case s.Tree != nil && len(s.At) > 0 && slices.Contains([]string{"principal", "action", "resource"}, s.At[0]):
			p.scopes = append(p.scopes, s.Tree)
		}
	}
	for k, list := range of {
		m.policies[k].reads = gather(list, m.tags)
	}
	m.Whole = slices.Repeat([]bool{true}, len(of))
}

// make makes all requests.
func (m *maker) make(ctx context.Context) error {
	var all []*reads
	for _, p := range m.policies {
		all = append(all, p.reads)
	}
	m.every = m.kinds()
	if spaces, ok := m.small(merged(all)); ok {
		m.Complete = true
		for _, s := range spaces {
			s.each(everything, make([]int, len(s.axes)), func(assigned []int) bool {
				m.add(m.checked(s.request(assigned)), false)
				return ctx.Err() == nil
			})
		}
		m.Valid = len(m.Requests)
		if !slices.Contains(m.options.Without, Hostile) && ctx.Err() == nil {
			m.hostile(ctx)
		}
		return ctx.Err()
	}
	return m.focused(ctx)
}

// kind is one action, and one type of principal and of resource.
type kind struct {
	action              resolved.Action
	principal, resource types.EntityType
}

// kinds lists every kind of request that the schema knows, in a fixed order.
func (m *maker) kinds() []kind {
	var actions []resolved.Action
	for _, a := range m.schema.Actions {
		if a.AppliesTo != nil {
			actions = append(actions, a)
		}
	}
	slices.SortFunc(actions, func(a, b resolved.Action) int { return strings.Compare(a.Entity.UID.String(), b.Entity.UID.String()) })
	var out []kind
	for _, a := range actions {
		for _, principal := range sortedTypes(a.AppliesTo.Principals) {
			for _, resource := range sortedTypes(a.AppliesTo.Resources) {
				out = append(out, kind{a, principal, resource})
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

// space is what requests of a kind can be, as far as something reads it. Some
// bounds the user's entities of a type; 0 is all.
func (m *maker) space(k kind, r *reads, some int) *space {
	s := &space{
		schema: m.schema, reads: r, store: m.options.Entities, some: some, without: m.options.Without, action: k.action,
		typeOf: map[string]types.EntityType{"principal": k.principal, "resource": k.resource},
	}
	s.build()
	return s
}

// small are the spaces of all kinds, if together they have no more than as
// many combinations as are allowed.
func (m *maker) small(r *reads) ([]*space, bool) {
	left := m.options.Limit
	var out []*space
	for _, k := range m.every {
		s := m.space(k, r, 0)
		if !s.askable() {
			continue
		}
		if left -= s.count(everything, left); left < 0 {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// checked is a request with what the schema says of it, and with its digest.
func (m *maker) checked(r Request) checked {
	r.Valid = m.validator.Request(r.Request) == nil && m.validator.Entities(r.Own) == nil
	written := sha256.New()
	r.Write(written)
	return checked{r, [32]byte(written.Sum(nil))}
}

type checked struct {
	Request
	sum [32]byte
}

// add takes a request unless it is there; a valid one must be valid. It says
// where the request stands; -1 if it is not taken.
func (m *maker) add(r checked, hostile bool) int32 {
	if r.Valid == hostile {
		return -1
	}
	at, there := m.seen[r.sum]
	if !there {
		at = int32(len(m.Requests))
		m.seen[r.sum] = at
		m.digest.Write(r.sum[:])
		m.Requests = append(m.Requests, r.Request)
	}
	return at
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

// Write writes a request so that equal ones are written equally.
func (r Request) Write(w io.Writer) {
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
