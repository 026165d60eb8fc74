package domain

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"

	"postern/mutants/cedar"
)

// Source is a policy that the domain must be able to tell from others.
type Source struct {
	Policy int // index of the policy that it is, or that it is a mutant of
	Tree   *cedar.Tree
	Mutant bool
	At     cedar.Path // of a mutant, what it changes: the other conditions are its original's
}

// A read path begins with a variable and goes on with attributes; tag marks a
// step as the key of a tag.
const tag = "\x00tag:"

func key(path []string) string { return strings.Join(path, stepSeparator) }

const stepSeparator = "\x01"

// read is what the policies do with the value at one path.
type read struct {
	path       []string
	literals   []literal
	index      map[string]int // of literals, by how Cedar writes them
	patterns   []pattern
	groups     []types.EntityUID // what it is asked to be in
	related    map[string]bool   // keys of paths that it is compared with
	inside     map[string]bool   // keys of paths whose values it is asked to be in
	functions  map[string]bool   // of extensions
	arithmetic bool
}

type literal struct {
	value types.Value
	own   bool   // an original has it, not a mutant alone
	text  string // how Cedar writes it
}

type pattern struct {
	parts []any
	own   bool
}

// reads is all that the policies read, by key.
type reads struct {
	all    map[string]*read
	tags   []string // keys of tags that stand in a policy: a key that is calculated can be each of these
	source Source
}

// gather collects what the policies and mutants read. Tags are the keys of
// tags that stand in any policy.
func gather(sources []Source, tags []string) *reads {
	r := &reads{all: map[string]*read{}, tags: tags}
	for _, s := range sources {
		if s.Tree == nil {
			continue
		}
		r.source = s
		r.scope("principal", s.Tree.Principal)
		r.scope("resource", s.Tree.Resource)
		s.each(r.node)
	}
	r.share()
	return r
}

// each visits what a source does not have from its original.
func (s Source) each(visit func(n cedar.Node)) {
	if s.Tree == nil || len(s.At) == 1 && !strings.HasSuffix(s.At[0], "]") {
		return // of another scope
	}
	for i, c := range s.Tree.Conditions {
		if len(s.At) > 1 && !strings.HasSuffix(s.At[0], fmt.Sprintf("[%d]", i)) {
			continue
		}
		cedar.Walk(c.Body, nil, func(_ cedar.Path, n cedar.Node) { visit(n) })
	}
}

// tagsOf lists the keys of tags that stand literally in any source.
func tagsOf(sources []Source) []string {
	var out []string
	for _, s := range sources {
		s.each(func(n cedar.Node) {
			var named cedar.Node
			switch n := n.(type) {
			case xast.NodeTypeHasTag:
				named = n.Right
			case xast.NodeTypeGetTag:
				named = n.Right
			default:
				return
			}
			if k, ok := constant(named).(types.String); ok {
				out = append(out, string(k))
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func newRead(path []string) *read {
	return &read{path: slices.Clone(path), index: map[string]int{}, related: map[string]bool{}, inside: map[string]bool{}, functions: map[string]bool{}}
}

// at is the read of a path, with all paths before it.
func (r *reads) at(path []string) *read {
	for i := 1; i <= len(path); i++ {
		if k := key(path[:i]); r.all[k] == nil {
			r.all[k] = newRead(path[:i])
		}
	}
	return r.all[key(path)]
}

func (r *reads) scope(variable string, s xast.IsScopeNode) {
	f := r.at([]string{variable})
	switch s := s.(type) {
	case xast.ScopeTypeEq:
		f.literal(s.Entity, r.source)
	case xast.ScopeTypeIn:
		f.group(s.Entity)
	case xast.ScopeTypeIsIn:
		f.group(s.Entity)
	}
}

// node takes in one node: what it compares is read by all paths below it.
func (r *reads) node(n cedar.Node) {
	switch n := n.(type) {
	case xast.NodeTypeAnd, xast.NodeTypeOr, xast.NodeTypeNot, xast.NodeTypeIfThenElse, xast.NodeValue:
		return
	case xast.NodeTypeIn:
		r.inside(n.Left, n.Right)
	case xast.NodeTypeIsIn:
		r.inside(n.Left, n.Entity)
	case xast.NodeTypeHasTag:
		r.tagKey(n.Left, n.Right)
	case xast.NodeTypeGetTag:
		r.tagKey(n.Left, n.Right)
	}
	r.compared(n)
}

// compared relates all paths below a node with each other and with all that
// stands there literally.
func (r *reads) compared(n cedar.Node) {
	paths := r.pathsIn(n)
	if len(paths) == 0 {
		return
	}
	values := constants(n)
	arithmetic, functions := false, map[string]bool{}
	cedar.Walk(n, nil, func(_ cedar.Path, n cedar.Node) {
		switch n := n.(type) {
		case xast.NodeTypeAdd, xast.NodeTypeSub, xast.NodeTypeMult, xast.NodeTypeNegate:
			arithmetic = true
		case xast.NodeTypeExtensionCall:
			functions[string(n.Name)] = true
		}
	})
	for _, p := range paths {
		f := r.at(p)
		for _, v := range values {
			f.literal(v, r.source)
		}
		if like, ok := n.(xast.NodeTypeLike); ok {
			f.pattern(pattern{cedar.Parts(like.Value), !r.source.Mutant})
		}
		f.arithmetic = f.arithmetic || arithmetic
		for name := range functions {
			f.functions[name] = true
		}
		for _, q := range paths {
			if key(q) != key(p) {
				f.related[key(q)] = true
			}
		}
	}
}

func (r *reads) inside(left, right cedar.Node) {
	for _, p := range r.pathsIn(left) {
		f := r.at(p)
		for _, v := range constants(right) {
			if uid, ok := v.(types.EntityUID); ok {
				f.group(uid)
			}
		}
		for _, q := range r.pathsIn(right) {
			f.inside[key(q)] = true
		}
	}
}

// keysOfTags are those that a key that is calculated can be.
func (r *reads) keysOfTags() []string { return append(slices.Clone(r.tags), cedar.Other) }

// tagKey notes which tags are asked for. A key that is itself read gets its
// values from those that stand literally.
func (r *reads) tagKey(of, named cedar.Node) {
	if constant(named) != nil {
		return
	}
	for _, p := range r.pathsIn(of) {
		for _, k := range r.keysOfTags() {
			r.at(append(slices.Clone(p), tag+k))
			for _, q := range r.pathsIn(named) {
				r.at(q).literal(types.String(k), r.source)
			}
		}
	}
}

// share gives paths that are compared with each other what any is compared
// with.
func (r *reads) share() {
	for changed := true; changed; {
		changed = false
		for _, k := range r.keys() {
			f := r.all[k]
			for _, other := range slices.Sorted(maps.Keys(f.related)) {
				for _, l := range r.all[other].literals {
					changed = f.add(l) || changed
				}
			}
		}
	}
}

func (r *reads) keys() []string {
	out := make([]string, 0, len(r.all))
	for k := range r.all {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (f *read) literal(v types.Value, s Source) {
	f.add(literal{v, !s.Mutant, string(v.MarshalCedar())})
	switch v := v.(type) {
	case types.Set:
		elements := slices.SortedFunc(v.All(), func(a, b types.Value) int {
			return bytes.Compare(a.MarshalCedar(), b.MarshalCedar())
		})
		for _, e := range elements {
			f.literal(e, s)
		}
	case types.Record:
		for _, name := range slices.Sorted(v.Keys()) {
			e, _ := v.Get(name)
			f.literal(e, s)
		}
	}
}

// add reports whether something is new.
func (f *read) add(l literal) bool {
	i, there := f.index[l.text]
	if !there {
		f.index[l.text] = len(f.literals)
		f.literals = append(f.literals, l)
		return true
	}
	changed := l.own && !f.literals[i].own
	f.literals[i].own = f.literals[i].own || l.own
	return changed
}

func (f *read) pattern(p pattern) {
	for i, have := range f.patterns {
		if slices.Equal(have.parts, p.parts) {
			f.patterns[i].own = have.own || p.own
			return
		}
	}
	f.patterns = append(f.patterns, p)
}

func (f *read) group(e types.EntityUID) {
	if !slices.Contains(f.groups, e) {
		f.groups = append(f.groups, e)
	}
}
