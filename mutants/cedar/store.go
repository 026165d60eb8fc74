package cedar

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
)

// StoreMutant is an entity of a store, changed in one place.
type StoreMutant struct {
	ID     string // the entity, the operator and what it changes
	Why    string
	UID    types.EntityUID
	Entity types.Entity
	Gone   bool   // the store has the entity no more
	Digest string // of the entity before and after
}

// StoreMutants makes all mutants of some entities of a store, in a fixed order.
// What is inside a record is left alone.
func StoreMutants(store types.EntityMap, some func(types.EntityUID) bool) []StoreMutant {
	groups := map[types.EntityType]map[types.EntityUID]bool{} // that entities of a type are in
	var uids []types.EntityUID
	for uid, e := range store {
		if some(uid) {
			uids = append(uids, uid)
		}
		if groups[uid.Type] == nil {
			groups[uid.Type] = map[types.EntityUID]bool{}
		}
		for p := range e.Parents.All() {
			groups[uid.Type][p] = true
		}
	}
	sortUIDs(uids)
	var out []StoreMutant
	for _, uid := range uids {
		g := &storeGenerator{entity: store[uid], ids: map[string]int{}}
		g.add("drop-entity", "an entity is gone", "", types.Entity{UID: uid}, true)
		g.parents(slices.Collect(maps.Keys(groups[uid.Type])))
		g.values("attribute", store[uid].Attributes, func(e *types.Entity, r types.Record) { e.Attributes = r })
		g.values("tag", store[uid].Tags, func(e *types.Entity, r types.Record) { e.Tags = r })
		out = append(out, g.out...)
	}
	return out
}

func sortUIDs(list []types.EntityUID) {
	slices.SortFunc(list, func(a, b types.EntityUID) int { return strings.Compare(a.String(), b.String()) })
}

type storeGenerator struct {
	entity types.Entity
	ids    map[string]int
	out    []StoreMutant
}

func (g *storeGenerator) add(operator, why, what string, e types.Entity, gone bool) {
	id := g.entity.UID.String() + "/" + operator
	if what != "" {
		id += "@" + what
	}
	if g.ids[id]++; g.ids[id] > 1 {
		id += "#" + strconv.Itoa(g.ids[id])
	}
	after := ""
	if !gone {
		after = written(e)
	}
	g.out = append(g.out, StoreMutant{id, why, g.entity.UID, e, gone, Digest(written(g.entity), after)})
}

// parents takes each group away, and adds two of those that others are in.
func (g *storeGenerator) parents(known []types.EntityUID) {
	own := slices.Collect(g.entity.Parents.All())
	sortUIDs(own)
	sortUIDs(known)
	for i, p := range own {
		e := g.entity
		e.Parents = types.NewEntityUIDSet(without(own, i)...)
		g.add("drop-parent", "an entity is in a group less", p.String(), e, false)
	}
	added := 0
	for _, p := range known {
		if !slices.Contains(own, p) && p != g.entity.UID && added < most {
			e := g.entity
			e.Parents = types.NewEntityUIDSet(append(slices.Clone(own), p)...)
			g.add("join-group", "an entity is in another group too", p.String(), e, false)
			added++
		}
	}
}

func (g *storeGenerator) values(kind string, r types.Record, put func(e *types.Entity, r types.Record)) {
	for _, name := range slices.Sorted(r.Keys()) {
		v, _ := r.Get(name)
		change := func(operator, why string, to types.Value) {
			m := maps.Clone(r.Map())
			delete(m, name)
			if to != nil {
				m[name] = to
			}
			e := g.entity
			put(&e, types.NewRecord(m))
			g.add(operator, why, string(name), e, false)
		}
		change("drop-"+kind, "an entity has one "+kind+" less", nil)
		for _, other := range otherValues(v) {
			change("change-"+kind, "an entity has another "+kind, other)
		}
	}
}

// otherValues lists values near one of the same type.
func otherValues(v types.Value) []types.Value {
	switch v := v.(type) {
	case types.Boolean:
		return []types.Value{!v}
	case types.Long:
		return []types.Value{v - 1, v + 1}
	case types.String:
		return []types.Value{types.String(Other)}
	case types.EntityUID:
		return []types.Value{types.NewEntityUID(v.Type, Other)}
	case types.Set:
		elements := slices.SortedFunc(v.All(), func(a, b types.Value) int { return strings.Compare(a.String(), b.String()) })
		var out []types.Value
		for i := range min(len(elements), LongSet) {
			out = append(out, types.NewSet(without(elements, i)...))
		}
		return out
	case types.Decimal:
		return near("decimal", v.String(), types.ParseDecimal)
	case types.Datetime:
		return near("datetime", v.String(), types.ParseDatetime)
	case types.Duration:
		return near("duration", v.String(), types.ParseDuration)
	case types.IPAddr:
		return near("ip", v.String(), types.ParseIPAddr)
	}
	return nil
}

func near[T types.Value](constructor types.Path, text string, parse func(string) (T, error)) []types.Value {
	var out []types.Value
	for _, n := range Near(constructor, text) {
		if v, err := parse(n); err == nil {
			out = append(out, v)
		}
	}
	return out
}

// written is an entity so that equal ones are written equally.
func written(e types.Entity) string {
	above := slices.Collect(e.Parents.All())
	sortUIDs(above)
	text := e.UID.String()
	for _, p := range above {
		text += " in " + p.String()
	}
	return text + " " + e.Attributes.String() + " " + e.Tags.String()
}
