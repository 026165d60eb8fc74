package load

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// Entities reads entities in Cedar's JSON. They must fit the schema.
func Entities(path string, s *resolved.Schema) (types.EntityMap, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	if p := nested(path, b); p != nil {
		return nil, p
	}
	const form = "a list of objects with uid, attrs and parents"
	list, lines, err := elements(b)
	if err != nil {
		return nil, &Problem{path, lineAt(b, err), "these are not entities in Cedar's JSON: " + form}
	}
	if len(list) > maxEntities {
		return nil, &Problem{path, lines[maxEntities], "more than 100,000 entities: leave out what no request is about"}
	}
	v := validate.New(s)
	out := types.EntityMap{}
	for i, raw := range list {
		var e types.Entity
		what := ""
		switch err := e.UnmarshalJSON(raw); {
		case err != nil || e.UID.IsZero():
			what = "this is no entity in Cedar's JSON: an object with uid, attrs and parents"
		case v.Entity(e) != nil && loose(e.Attributes, e.Tags):
			what = bare
		case v.Entity(e) != nil:
			what = "this entity does not fit the schema: check its type, attributes and parents"
		}
		if _, twice := out[e.UID]; twice && what == "" {
			what = "this entity stands there twice: leave one out"
		}
		if what != "" {
			return nil, &Problem{path, lines[i], what}
		}
		out[e.UID] = e
	}
	return out, nil
}

// bare is what to do about a value that is meant to be an entity and is not.
const bare = `in attributes, tags and context an entity is written {"__entity": {"type": ..., "id": ...}}: without __entity it is a record`

// loose reports whether a record of only type and id, both texts, is in others.
func loose(in ...types.Value) bool {
	for _, v := range in {
		switch v := v.(type) {
		case types.Record:
			kind, _ := v.Get("type")
			id, _ := v.Get("id")
			_, first := kind.(types.String)
			_, second := id.(types.String)
			if v.Len() == 2 && first && second || loose(slices.Collect(v.Values())...) {
				return true
			}
		case types.Set:
			if loose(v.Slice()...) {
				return true
			}
		}
	}
	return false
}

// elements divides a JSON list, and tells the line of each element.
func elements(b []byte) ([]json.RawMessage, []int, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, nil, err
	}
	lines := make([]int, len(list))
	at, line := 0, 1
	for i, raw := range list {
		begin := bytes.Index(b[at:], raw)
		line += bytes.Count(b[at:at+begin], []byte("\n"))
		lines[i] = line
		line += bytes.Count(raw, []byte("\n"))
		at += begin + len(raw)
	}
	return list, lines, nil
}
