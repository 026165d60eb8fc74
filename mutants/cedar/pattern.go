package cedar

import (
	"encoding/json"

	"github.com/cedar-policy/cedar-go/types"
)

// Parts takes a pattern of like apart: strings, and types.Wildcard. cedar-go
// shows the parts of a pattern in its JSON alone.
func Parts(p types.Pattern) []any {
	b, err := p.MarshalJSON()
	if err != nil {
		return nil
	}
	var list []any
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	var out []any
	for _, part := range list {
		switch part := part.(type) {
		case string:
			out = append(out, types.Wildcard{})
		case map[string]any:
			literal, _ := part["Literal"].(string)
			out = append(out, literal)
		}
	}
	return out
}
