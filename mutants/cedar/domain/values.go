package domain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
)

// choice is one value that a place can have.
type choice struct {
	value any // types.Value, self, []any for a set, or nil for a record to be filled
	class Class
	none  bool // the place stays empty
	open  bool // what lies below the place can be chosen too
}

// self stands for the request's principal or resource.
type self string

// IDs of entities that no policy names: of the request, of an attribute, and
// of what stands between an entity and a group.
const (
	freshID   = "postern-fresh"
	elseID    = "postern-else"
	betweenID = "postern-between-"
)

// choices lists the values that a place of a type can have.
func (s *space) choices(t resolved.IsType, f *read) []choice {
	var out []choice
	add := func(class Class, values ...types.Value) {
		for _, v := range values {
			if matches(t, v) {
				out = append(out, choice{value: v, class: class})
			}
		}
	}
	for _, l := range f.literals {
		if l.own {
			add("", l.value)
		}
	}
	switch t := t.(type) {
	case resolved.BoolType:
		add("", types.True, types.False)
	case resolved.LongType:
		s.numbers(f, add)
	case resolved.StringType:
		texts(f, add)
		add(Fresh, types.String(freshID))
		if len(f.related) > 0 { // two places that are compared can differ
			add(Fresh, types.String(freshID+"-2"))
		}
	case resolved.ExtensionType:
		extensions(string(t), f, add)
	case resolved.EntityType:
		out = append(out, s.entities(types.EntityType(t), f)...)
	case resolved.SetType:
		return s.sets(t, f, out)
	case resolved.RecordType:
		out = append([]choice{{open: true}}, out...)
		if len(f.related) > 0 {
			out = append(out, choice{value: s.other(t), class: Fresh})
		}
	}
	for _, l := range f.literals { // last: what is there under another class is not swapped alone
		if uid, ok := l.value.(types.EntityUID); !ok {
			add(Swapped, l.value)
		} else if matches(t, uid) {
			out = append(out, choice{value: uid, class: Swapped, open: !s.stored(uid)})
		}
	}
	return s.unique(out)
}

// unique drops equal values and the classes that are left out.
func (s *space) unique(in []choice) []choice {
	var out []choice
	seen := map[string]bool{}
	for _, c := range in {
		if slices.Contains(s.without, c.class) && c.class != "" {
			continue
		}
		if k := written(c); !seen[k] {
			seen[k] = true
			out = append(out, c)
		}
	}
	return out
}

// written is a choice so that equal ones are written equally.
func written(c choice) string {
	switch v := c.value.(type) {
	case types.Value:
		return "value " + string(v.MarshalCedar())
	case self:
		return "self " + string(v)
	case []any:
		text := "set"
		for _, e := range v {
			text += "\n" + written(choice{value: e})
		}
		return text
	}
	return fmt.Sprintf("none %v, open %v", c.none, c.open)
}

// numbers adds what lies beside each number of an original, and the numbers
// at which a calculation comes to another.
func (s *space) numbers(f *read, add func(Class, ...types.Value)) {
	var own []types.Long
	for _, l := range f.literals {
		if n, ok := l.value.(types.Long); ok && l.own {
			own = append(own, n)
		}
	}
	if f.arithmetic {
		own = calculated(own)
		add(Extreme, types.Long(math.MinInt64), types.Long(math.MaxInt64))
	}
	for _, n := range own {
		add("", n)
		if n > math.MinInt64 {
			add(Below, n-1)
		}
		if n < math.MaxInt64 {
			add(Above, n+1)
		}
	}
	if len(own) == 0 {
		add("", types.Long(0), types.Long(1))
	}
}

// calculated adds sums, differences and quotients of a few small numbers.
func calculated(in []types.Long) []types.Long {
	out := slices.Clone(in)
	if len(in) > 4 || slices.ContainsFunc(in, func(n types.Long) bool { return n > math.MaxInt32 || n < math.MinInt32 }) {
		return out
	}
	for _, a := range in {
		for _, b := range in {
			out = append(out, a+b, a-b)
		}
	}
	for _, a := range slices.Clone(out) {
		for _, b := range in {
			if b != 0 && b != 1 && a%b == 0 {
				out = append(out, a/b)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// texts adds what patterns take, and what they take when they are longer or
// shorter by a wildcard.
func texts(f *read, add func(Class, ...types.Value)) {
	own := slices.ContainsFunc(f.patterns, func(p pattern) bool { return p.own })
	for _, p := range f.patterns {
		if own && !p.own {
			continue
		}
		for _, fill := range []string{"", "q"} {
			middle := ""
			for _, part := range p.parts {
				if literal, ok := part.(string); ok {
					middle += literal
				} else {
					middle += fill
				}
			}
			add(Pattern, types.String(middle), types.String("q"+middle), types.String(middle+"q"))
		}
	}
}

// entities adds those that no policy names, and the request's own.
func (s *space) entities(t types.EntityType, f *read) []choice {
	if enum, ok := s.schema.Enums[t]; ok {
		var out []choice
		for _, v := range enum.Values {
			out = append(out, choice{value: v})
		}
		return out
	}
	var out []choice
	for _, l := range f.literals {
		if uid, ok := l.value.(types.EntityUID); ok && uid.Type == t && l.own {
			out = append(out, choice{value: uid, open: !s.stored(uid)})
		}
	}
	for _, v := range []string{"principal", "resource"} {
		if s.typeOf[v] == t && (f.related[key([]string{v})] || s.insideOf(f, v)) {
			out = append(out, choice{value: self(v), class: Self})
		}
	}
	// Each place has an entity of its own, with attributes and groups of its
	// own; what is compared with another place has one in common with it too.
	out = append(out, choice{value: elseAt(t, f.path), class: Fresh, open: true})
	for other := range f.related {
		if strings.Contains(other, stepSeparator) {
			return append(out, choice{value: types.NewEntityUID(t, elseID), class: Fresh, open: true})
		}
	}
	return out
}

// elseAt is the entity of a place that no policy names.
func elseAt(t types.EntityType, path []string) types.EntityUID {
	return types.NewEntityUID(t, types.String(elseID+"-"+strings.ReplaceAll(strings.Join(path, "-"), tag, "tag-")))
}

// insideOf reports whether a variable is asked to be in the value of f.
func (s *space) insideOf(f *read, variable string) bool {
	v := s.reads.all[key([]string{variable})]
	return v != nil && v.inside[key(f.path)]
}

// sets makes sets of few elements: none, each, all, and all but each.
func (s *space) sets(t resolved.SetType, f *read, whole []choice) []choice {
	elements := s.choices(t.Element, &read{path: f.path, literals: f.literals, related: f.related, functions: f.functions})
	var values []any
	var classes []Class
	for _, e := range elements {
		if e.value == nil && e.open {
			e.value = s.fallback(t.Element)
		}
		values, classes = append(values, e.value), append(classes, e.class)
	}
	out := append(whole, choice{value: []any{}, class: EmptySet})
	for i, v := range values {
		out = append(out, choice{value: []any{v}, class: classes[i]})
	}
	if len(values) > 1 {
		out = append(out, choice{value: values, class: Several})
	}
	if len(values) > 2 {
		for i := range min(len(values), 4) {
			out = append(out, choice{value: append(slices.Clone(values[:i]), values[i+1:]...), class: Several})
		}
	}
	return s.unique(out)
}

// matches reports whether a value has a type.
func matches(t resolved.IsType, v types.Value) bool {
	switch t := t.(type) {
	case resolved.BoolType:
		_, ok := v.(types.Boolean)
		return ok
	case resolved.LongType:
		_, ok := v.(types.Long)
		return ok
	case resolved.StringType:
		_, ok := v.(types.String)
		return ok
	case resolved.EntityType:
		uid, ok := v.(types.EntityUID)
		return ok && uid.Type == types.EntityType(t)
	case resolved.ExtensionType:
		return extensionOf(v) == string(t)
	case resolved.SetType:
		set, ok := v.(types.Set)
		if !ok {
			return false
		}
		for e := range set.All() {
			if !matches(t.Element, e) {
				return false
			}
		}
		return true
	case resolved.RecordType:
		_, ok := v.(types.Record)
		return ok // the schema has the last word on what it holds
	}
	return false
}
