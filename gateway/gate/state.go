package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
)

const (
	stateFormat = 1
	sumSize     = 2*sha256.Size + 1 // hexadecimal digits and a line feed
	maxState    = maxUpdate         // a state has room for every tool too
)

// record is the content of a state file: one line of JSON, and a line with the
// SHA-256 of that line. The sum shows damage, not an adversary's hand.
type record struct {
	Format   int      `json:"format"`
	Tools    string   `json:"tools"` // digest of the original set
	Revision uint64   `json:"revision"`
	Closed   bool     `json:"closed"`
	Revoked  []string `json:"revoked"` // sorted
}

func (r record) encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encoding the state of the policy gate: %w", err)
	}
	line = append(line, '\n')
	return append(line, sum(line)...), nil
}

func sum(line []byte) string {
	digest := sha256.Sum256(line)
	return hex.EncodeToString(digest[:]) + "\n"
}

// decodeState takes back what encode makes, to the byte, and nothing else. The
// error is a *Refusal.
func decodeState(data []byte) (record, error) {
	cut := len(data) - sumSize
	if cut < 1 || data[cut-1] != '\n' || data[len(data)-1] != '\n' {
		return record{}, refuse(StateTruncated, nil)
	}
	var r record
	if json.Unmarshal(data[:cut], &r) != nil {
		return record{}, refuse(StateMalformed, nil)
	}
	again, err := r.encode() // with its sum
	if err != nil || !bytes.Equal(again, data) {
		return record{}, refuse(StateMalformed, nil)
	}
	if r.Format != stateFormat || r.Revision > MaxRevision || !ascending(r.Revoked) {
		return record{}, refuse(StateMalformed, nil)
	}
	return r, nil
}

// trust judges a record against what the gate knows.
func (r record) trust(tools map[string]bool, known uint64) error {
	switch {
	case r.Tools != digest(tools):
		return refuse(StateTools, nil)
	case slices.ContainsFunc(r.Revoked, func(tool string) bool { return !tools[tool] }):
		return refuse(StateMalformed, nil)
	case r.Revision < known:
		return refuse(StateOlder, nil)
	}
	return nil
}

// digest names a set of tools. Lengths go first, so that no two sets run into one.
func digest(tools map[string]bool) string {
	h := sha256.New()
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(tool))))
		h.Write([]byte(tool))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func ascending(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return false
		}
	}
	return true
}
