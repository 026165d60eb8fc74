package load

import (
	"bytes"
	"encoding/json"
	"fmt"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// Case is a request of the user's own, with what it must come to.
type Case struct {
	Request  cedargo.Request
	Own      types.EntityMap // beside the user's entities
	Decision string          // "allow", "deny" or "": not said
}

// written is how a request is written.
type written struct {
	Principal json.RawMessage `json:"principal"`
	Action    json.RawMessage `json:"action"`
	Resource  json.RawMessage `json:"resource"`
	Context   types.Record    `json:"context"`
	Entities  types.EntityMap `json:"entities"`
	Decision  string          `json:"decision"`
}

// Cases reads requests: a list of objects with principal, action and resource,
// each 'Type::"id"' or {"type", "id"}, and where they are needed context,
// entities and decision. The schema may refuse them, but not for a record where
// it has an entity: that is meant for one.
func Cases(path string, s *resolved.Schema) ([]Case, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	if p := nested(path, b); p != nil {
		return nil, p
	}
	list, lines, err := elements(b)
	if err != nil {
		return nil, &Problem{path, lineAt(b, err), "these are not requests: a list of objects with principal, action and resource"}
	}
	if len(list) == 0 {
		return nil, &Problem{path, 0, "there is no request in it: leave --requests out, or write one down"}
	}
	if len(list) > maxCases {
		return nil, &Problem{path, lines[maxCases], "more than 10,000 requests: name fewer"}
	}
	var out []Case
	v := validate.New(s)
	for i, raw := range list {
		c, what := One(raw)
		if what == "" && misspelled(v, c) {
			what = bare
		}
		if what != "" {
			return nil, &Problem{path, lines[i], fmt.Sprintf("request %d: %s", i+1, what)}
		}
		out = append(out, c)
	}
	return out, nil
}

func misspelled(v *validate.Validator, c Case) bool {
	if loose(c.Request.Context) && v.Request(c.Request) != nil {
		return true
	}
	for _, e := range c.Own {
		if loose(e.Attributes, e.Tags) && v.Entity(e) != nil {
			return true
		}
	}
	return false
}

// One reads one request; or it says what is wrong with it.
func One(raw []byte) (Case, string) {
	var w written
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if d.Decode(&w) != nil {
		return Case{}, "it has a field that is not known, or a value that is not Cedar's JSON"
	}
	c := Case{Own: w.Entities, Decision: w.Decision}
	c.Request.Context = w.Context
	for _, part := range []struct {
		name string
		raw  json.RawMessage
		into *types.EntityUID
	}{{"principal", w.Principal, &c.Request.Principal}, {"action", w.Action, &c.Request.Action}, {"resource", w.Resource, &c.Request.Resource}} {
		if !parseUID(part.raw, part.into) {
			return Case{}, part.name + ` must be written 'Type::"id"' or {"type": ..., "id": ...}`
		}
	}
	if w.Decision != "" && w.Decision != "allow" && w.Decision != "deny" {
		return Case{}, "decision must be allow or deny"
	}
	return c, ""
}

func parseUID(raw json.RawMessage, into *types.EntityUID) bool {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return into.UnmarshalCedar([]byte(text)) == nil
	}
	return into.UnmarshalJSON(raw) == nil && !into.IsZero()
}

// lineAt is the line of a syntax error in JSON; 0 if it cannot be told.
func lineAt(b []byte, err error) int {
	syntax, ok := err.(*json.SyntaxError)
	if !ok || syntax.Offset > int64(len(b)) {
		return 0
	}
	return 1 + bytes.Count(b[:syntax.Offset], []byte("\n"))
}
