package domain

import (
	"slices"
	"strings"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
)

// record is a record or an entity's attributes while they are put together: a
// nil value is a place that stays empty.
type record map[string]any

// builder puts one request together.
type builder struct {
	space    *space
	uid      map[string]types.EntityUID
	context  record
	entities map[types.EntityUID]record
	parents  map[types.EntityUID][]types.EntityUID
}

// request is what an assignment of choices comes to.
func (s *space) request(assigned []int) Request {
	b := &builder{
		space: s, uid: map[string]types.EntityUID{}, context: record{},
		entities: map[types.EntityUID]record{}, parents: map[types.EntityUID][]types.EntityUID{},
	}
	for _, v := range []string{"principal", "resource"} {
		for i, a := range s.axes {
			if len(a.path) == 1 && a.path[0] == v {
				b.uid[v] = a.choices[assigned[i]].value.(types.EntityUID)
				b.entity(b.uid[v])
			}
		}
	}
	for i, a := range s.axes {
		if assigned[i] >= 0 && len(a.path) > 1 {
			b.set(a.path, a.choices[assigned[i]])
		}
	}
	return b.finish()
}

// entity is the attributes of an entity that is not in the user's store.
func (b *builder) entity(uid types.EntityUID) record {
	r := b.entities[uid]
	if r == nil {
		r = record{}
		if !b.space.stored(uid) {
			b.entities[uid] = r
		}
	}
	return r
}

// set puts a choice in its place, if there is such a place.
func (b *builder) set(path []string, c choice) {
	at, uid := b.context, types.EntityUID{}
	if path[0] != "context" {
		uid = b.uid[path[0]]
		at = b.entity(uid)
	}
	for _, step := range path[1 : len(path)-1] {
		switch v := at[step].(type) {
		case record:
			at = v
		case types.EntityUID:
			uid, at = v, b.entity(v)
		default:
			return
		}
	}
	last := path[len(path)-1]
	switch v := c.value.(type) {
	case parents:
		b.join(uid, v)
		return
	case nil:
		if c.none {
			at[last] = nil
		} else {
			at[last] = record{}
		}
		return
	}
	at[last] = b.resolve(c.value)
	if uid, ok := at[last].(types.EntityUID); ok {
		b.entity(uid)
	}
}

func (b *builder) resolve(v any) types.Value {
	switch v := v.(type) {
	case self:
		return b.uid[string(v)]
	case []any:
		elements := make([]types.Value, len(v))
		for i, e := range v {
			elements[i] = b.resolve(e)
		}
		return types.NewSet(elements...)
	}
	return v.(types.Value)
}

func (b *builder) join(uid types.EntityUID, p parents) {
	all := append(slices.Clone(b.parents[uid]), p.at...)
	for _, g := range p.via {
		between := types.NewEntityUID(b.space.between(uid.Type, g.Type), betweenID+g.ID)
		b.entity(between)
		b.parents[between] = []types.EntityUID{g}
		all = append(all, between)
	}
	b.parents[uid] = all
}

func (b *builder) finish() Request {
	own := types.EntityMap{}
	for uid, attributes := range b.entities {
		e := types.Entity{UID: uid, Parents: types.NewEntityUIDSet(b.parents[uid]...)}
		if known, ok := b.space.schema.Entities[uid.Type]; ok {
			e.Attributes = b.filled(attributes, known.Shape)
			e.Tags = b.tagged(attributes)
		} else if _, enum := b.space.schema.Enums[uid.Type]; !enum {
			continue // an action
		}
		own[uid] = e
	}
	return Request{
		Request: cedargo.Request{
			Principal: b.uid["principal"], Action: b.space.action.Entity.UID, Resource: b.uid["resource"],
			Context: b.filled(b.context, b.space.action.AppliesTo.Context),
		},
		Own: own,
	}
}

// filled is a record with all that the schema asks for and nobody reads.
func (b *builder) filled(r record, shape resolved.RecordType) types.Record {
	m := types.RecordMap{}
	for name, attribute := range shape {
		v, chosen := r[string(name)]
		switch v := v.(type) {
		case record:
			if t, ok := attribute.Type.(resolved.RecordType); ok {
				m[name] = b.filled(v, t)
			}
		case types.Value:
			m[name] = v
		default:
			if !chosen && !attribute.Optional {
				m[name] = b.space.fallback(attribute.Type)
			}
		}
	}
	return types.NewRecord(m)
}

func (b *builder) tagged(r record) types.Record {
	m := types.RecordMap{}
	for name, v := range r {
		if k, ok := strings.CutPrefix(name, tag); ok {
			if v, ok := v.(types.Value); ok {
				m[types.String(k)] = v
			}
		}
	}
	return types.NewRecord(m)
}

// fallback is the value of what must be there and nobody reads.
func (s *space) fallback(t resolved.IsType) types.Value {
	switch t := t.(type) {
	case resolved.BoolType:
		return types.False
	case resolved.LongType:
		return types.Long(0)
	case resolved.StringType:
		return types.String("")
	case resolved.SetType:
		return types.NewSet()
	case resolved.RecordType:
		m := types.RecordMap{}
		for name, attribute := range t {
			if !attribute.Optional {
				m[name] = s.fallback(attribute.Type)
			}
		}
		return types.NewRecord(m)
	case resolved.EntityType:
		if enum, ok := s.schema.Enums[types.EntityType(t)]; ok && len(enum.Values) > 0 {
			return enum.Values[0]
		}
		return types.NewEntityUID(types.EntityType(t), elseID)
	case resolved.ExtensionType:
		switch t {
		case "ipaddr":
			a, _ := types.ParseIPAddr("192.0.2.1")
			return a
		case "datetime":
			return types.NewDatetimeFromMillis(0)
		case "duration":
			return types.NewDurationFromMillis(0)
		}
		return types.Decimal{}
	}
	return types.False
}

// other is a value that the fallback of a type is not, as far as the type has
// two.
func (s *space) other(t resolved.IsType) types.Value {
	switch t := t.(type) {
	case resolved.BoolType:
		return types.True
	case resolved.LongType:
		return types.Long(1)
	case resolved.StringType:
		return types.String(freshID)
	case resolved.SetType:
		return types.NewSet(s.fallback(t.Element))
	case resolved.RecordType:
		m := types.RecordMap{}
		for name, attribute := range t {
			m[name] = s.other(attribute.Type)
		}
		return types.NewRecord(m)
	case resolved.EntityType:
		if enum, ok := s.schema.Enums[types.EntityType(t)]; ok && len(enum.Values) > 1 {
			return enum.Values[1]
		} else if !ok {
			return types.NewEntityUID(types.EntityType(t), elseID+"-other")
		}
	case resolved.ExtensionType:
		switch t {
		case "ipaddr":
			a, _ := types.ParseIPAddr("192.0.2.2")
			return a
		case "datetime":
			return types.NewDatetimeFromMillis(1)
		case "duration":
			return types.NewDurationFromMillis(1)
		case "decimal":
			d, _ := types.NewDecimal(1, 0)
			return d
		}
	}
	return s.fallback(t)
}
