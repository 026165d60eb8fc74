package domain

import (
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
)

// axis is a place of a request that the policies read, with what it can hold.
type axis struct {
	path    []string
	choices []choice
	parent  int // the axis that must be chosen openly for this to count; -1 if there is none
}

// The last step of an axis of groups: of those that a policy asks for, and of
// others beside them in a mixture.
const (
	groupsStep = "\x00groups"
	moreStep   = "\x00groups+"
)

// parents are the groups that an entity is in: at once, and by way of another.
type parents struct{ at, via []types.EntityUID }

// space is all that requests of one kind can be: one action, and one type of
// principal and of resource.
type space struct {
	schema  *resolved.Schema
	reads   *reads
	store   types.EntityMap // of the user
	some    int             // how many of the user's entities of a type are asked about; 0 is all
	cut     bool            // some of the user's entities were left out
	without []Class
	action  resolved.Action
	typeOf  map[string]types.EntityType
	axes    []axis
	own     []bool // by axis, of a mixture: one policy reads it; see mix
}

func (s *space) stored(uid types.EntityUID) bool {
	_, ok := s.store[uid]
	return ok
}

func (s *space) build() {
	for _, v := range []string{"principal", "resource"} {
		at := s.add([]string{v}, s.uids(v), -1)
		s.below([]string{v}, resolved.EntityType(s.typeOf[v]), at)
	}
	s.below([]string{"context"}, s.action.AppliesTo.Context, -1)
}

func (s *space) add(path []string, choices []choice, parent int) int {
	s.axes = append(s.axes, axis{path: path, choices: choices, parent: parent})
	return len(s.axes) - 1
}

// uids are the principals or resources: one that no policy names, those that
// some policy names, and those of the user's store.
func (s *space) uids(variable string) []choice {
	t := s.typeOf[variable]
	if enum, ok := s.schema.Enums[t]; ok {
		var out []choice
		for _, v := range enum.Values {
			out = append(out, choice{value: v})
		}
		return out
	}
	out := []choice{{value: freshOf(t, variable), class: Fresh, open: true}}
	if variable == "resource" && s.typeOf["principal"] == t {
		out = append(out, choice{value: freshOf(t, "principal"), class: Self, open: true})
	}
	if f := s.reads.all[variable]; f != nil {
		for _, l := range f.literals {
			if uid, ok := l.value.(types.EntityUID); ok && uid.Type == t && !s.stored(uid) {
				out = append(out, choice{value: uid, class: swapped(l), open: true})
			}
		}
		for _, uid := range f.groups {
			if uid.Type == t && !s.stored(uid) {
				out = append(out, choice{value: uid, open: true})
			}
		}
	}
	var known []choice
	for uid := range s.store {
		if uid.Type == t {
			known = append(known, choice{value: uid})
		}
	}
	slices.SortFunc(known, func(a, b choice) int {
		return strings.Compare(a.value.(types.EntityUID).String(), b.value.(types.EntityUID).String())
	})
	if n := len(known); s.some > 0 && n > s.some {
		s.cut = true
		for i := range s.some {
			known[i] = known[i*n/s.some]
		}
		known = known[:s.some]
	}
	return s.unique(append(out, known...))
}

// swapped is the class of a literal.
func swapped(l literal) Class {
	if l.own {
		return ""
	}
	return Swapped
}

// freshOf is the principal or the resource that no policy names.
func freshOf(t types.EntityType, variable string) types.EntityUID {
	return types.NewEntityUID(t, types.String(freshID+"-"+variable))
}

func uidsOf(f *read) []types.EntityUID {
	var out []types.EntityUID
	for _, l := range f.literals {
		if uid, ok := l.value.(types.EntityUID); ok {
			out = append(out, uid)
		}
	}
	return out
}

// below adds an axis for all that is read of the value at a path.
func (s *space) below(path []string, t resolved.IsType, parent int) {
	switch t := t.(type) {
	case resolved.RecordType:
		s.attributes(path, t, parent)
	case resolved.EntityType:
		entity, ok := s.schema.Entities[types.EntityType(t)]
		if !ok {
			return
		}
		s.groups(path, types.EntityType(t), parent)
		s.attributes(path, entity.Shape, parent)
		if entity.Tags != nil {
			s.tags(path, entity.Tags, parent)
		}
	}
}

func (s *space) attributes(path []string, shape resolved.RecordType, parent int) {
	for _, name := range sorted(shape) {
		at := append(slices.Clone(path), string(name))
		f := s.reads.all[key(at)]
		if f == nil {
			continue
		}
		attribute := shape[name]
		choices := s.choices(attribute.Type, f)
		if attribute.Optional {
			choices = s.unique(append(choices, choice{none: true, class: Absent}))
		}
		i := s.add(at, choices, parent)
		s.below(at, attribute.Type, i)
	}
}

func (s *space) tags(path []string, t resolved.IsType, parent int) {
	for _, k := range s.reads.keys() {
		f := s.reads.all[k]
		if len(f.path) != len(path)+1 || !slices.Equal(f.path[:len(path)], path) || !strings.HasPrefix(f.path[len(path)], tag) {
			continue
		}
		choices := s.unique(append(s.choices(t, f), choice{none: true, class: Absent}))
		i := s.add(f.path, choices, parent)
		s.below(f.path, t, i)
	}
}

// groups adds an axis for the groups that an entity is in, as far as the
// schema lets it: none, each, all, directly and by way of another.
func (s *space) groups(path []string, t types.EntityType, parent int) {
	f := s.reads.all[key(path)]
	if f == nil {
		return
	}
	asked := slices.Clone(f.groups)
	for other := range f.inside {
		asked = append(asked, s.groupsAt(other)...)
	}
	slices.SortFunc(asked, func(a, b types.EntityUID) int { return strings.Compare(a.String(), b.String()) })
	asked = slices.Compact(asked)
	out := []choice{{value: parents{}}}
	var near []types.EntityUID
	for _, g := range asked {
		if slices.Contains(s.schema.Entities[t].ParentTypes, g.Type) {
			near = append(near, g)
			out = append(out, choice{value: parents{at: []types.EntityUID{g}}, class: Member})
		}
		if s.between(t, g.Type) != "" {
			out = append(out, choice{value: parents{via: []types.EntityUID{g}}, class: Descendant})
		}
	}
	if len(near) > 1 {
		out = append(out, choice{value: parents{at: near}, class: Several})
	}
	for i := range near { // of two groups, one may permit and the other forbid
		for j := range i {
			if len(near) > 2 && len(near) < 5 {
				out = append(out, choice{value: parents{at: []types.EntityUID{near[j], near[i]}}, class: Several})
			}
		}
	}
	out = slices.DeleteFunc(out, func(c choice) bool { return c.class != "" && slices.Contains(s.without, c.class) })
	if len(out) > 1 {
		s.add(append(slices.Clone(path), groupsStep), out, parent)
	}
}

// groupsAt are the entities that the value of a path can be or hold.
func (s *space) groupsAt(k string) []types.EntityUID {
	f := s.reads.all[k]
	t := s.typeAt(f.path)
	if set, ok := t.(resolved.SetType); ok {
		t = set.Element
	}
	e, ok := t.(resolved.EntityType)
	if !ok {
		return nil
	}
	out := []types.EntityUID{elseAt(types.EntityType(e), f.path)}
	for _, uid := range uidsOf(f) {
		if uid.Type == types.EntityType(e) {
			out = append(out, uid)
		}
	}
	if len(f.path) == 1 {
		out = append(out, freshOf(types.EntityType(e), f.path[0]))
	}
	return out
}

func (s *space) typeAt(path []string) resolved.IsType {
	var t resolved.IsType = s.action.AppliesTo.Context
	if path[0] != "context" {
		t = resolved.EntityType(s.typeOf[path[0]])
	}
	for _, step := range path[1:] {
		switch of := t.(type) {
		case resolved.RecordType:
			t = of[types.String(step)].Type
		case resolved.EntityType:
			e := s.schema.Entities[types.EntityType(of)]
			if strings.HasPrefix(step, tag) {
				t = e.Tags
			} else {
				t = e.Shape[types.String(step)].Type
			}
		default:
			return nil
		}
	}
	return t
}

// between is a type that can stand between an entity and a group.
func (s *space) between(t, group types.EntityType) types.EntityType {
	for _, m := range s.schema.Entities[t].ParentTypes {
		if slices.Contains(s.schema.Entities[m].ParentTypes, group) {
			return m
		}
	}
	return ""
}

func sorted(shape resolved.RecordType) []types.String {
	out := make([]types.String, 0, len(shape))
	for name := range shape {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
