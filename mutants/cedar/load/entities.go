package load

import (
	"bytes"
	"encoding/json"

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
