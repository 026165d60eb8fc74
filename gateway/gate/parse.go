package gate

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxUpdate bounds an update's text: room for every tool, however it is escaped.
const maxUpdate = MaxTools*(6*MaxName+3) + 1<<10

// ParseUpdate reads exactly {"revision": number, "revoked": [text, ...]}, in
// either order. The revision is written in digits alone: no sign, fraction or
// exponent. A key that is missing, strange, twice or in another case is
// refused, and so is null anywhere. The error is a *Refusal, and with it comes
// the zero Update, which every gate refuses.
//
// Whether the update may follow, and whether its tools exist, is for the gate.
func ParseUpdate(text []byte) (Update, error) {
	var wire struct {
		Revision jsontext.Value `json:"revision"`
		Revoked  jsontext.Value `json:"revoked"`
	}
	if len(text) > maxUpdate || json.Unmarshal(text, &wire, json.RejectUnknownMembers(true)) != nil {
		return Update{}, refuse(Malformed, nil)
	}
	if wire.Revision == nil || wire.Revoked == nil {
		return Update{}, refuse(Malformed, nil)
	}
	revision, err := parseRevision(wire.Revision)
	if err != nil {
		return Update{}, err
	}
	revoked, err := parseRevoked(wire.Revoked)
	if err != nil {
		return Update{}, err
	}
	return Update{Revision: revision, Revoked: revoked}, nil
}

func parseRevision(v jsontext.Value) (uint64, error) {
	digits := string(v)
	if strings.Trim(digits, "0123456789") != "" {
		return 0, refuse(RevisionType, nil)
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > MaxRevision {
		return 0, refuse(Overflow, nil)
	}
	return n, nil
}

func parseRevoked(v jsontext.Value) ([]string, error) {
	var items []jsontext.Value
	if v.Kind() != jsontext.KindBeginArray || json.Unmarshal(v, &items) != nil {
		return nil, refuse(Malformed, nil)
	}
	revoked := make([]string, 0, len(items))
	for _, item := range items {
		name, err := jsontext.AppendUnquote(nil, item) // an error for all but strings
		if err != nil {
			return nil, refuse(Malformed, nil)
		}
		revoked = append(revoked, string(name))
	}
	return revoked, nil
}
