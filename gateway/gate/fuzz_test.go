package gate

import (
	"bytes"
	stdjson "encoding/json"
	"slices"
	"strconv"
	"testing"
)

// What ParseUpdate accepts a lax reader reads alike, and written again it is
// the same; what it refuses has a code and is the zero Update.
func FuzzParseUpdate(f *testing.F) {
	for _, c := range invalidUpdates {
		if len(c.text) < 4096 {
			f.Add([]byte(c.text))
		}
	}
	f.Add([]byte(`{"revision":1,"revoked":["deliver","\u0070ublish","\ud83d\ude00"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		u, err := ParseUpdate(text)
		if err != nil {
			if !slices.Contains([]Code{Malformed, RevisionType, Overflow}, codeOf(err)) || u.Revision != 0 || u.Revoked != nil {
				t.Fatal("refused without a code, or with an update")
			}
			return
		}
		var lax struct { // encoding/json folds case, keeps the last duplicate, repairs text
			Revision stdjson.Number `json:"revision"`
			Revoked  []string       `json:"revoked"`
		}
		if stdjson.Unmarshal(text, &lax) != nil || string(lax.Revision) != strconv.FormatUint(u.Revision, 10) || !slices.Equal(lax.Revoked, u.Revoked) {
			t.Fatal("a lax reader reads an accepted update differently")
		}
		again, err := stdjson.Marshal(map[string]any{"revision": u.Revision, "revoked": u.Revoked})
		if err != nil {
			t.Fatal("an accepted update cannot be written")
		}
		same, err := ParseUpdate(again)
		if err != nil || same.Revision != u.Revision || !slices.Equal(same.Revoked, u.Revoked) {
			t.Fatal("an accepted update written again reads differently")
		}
	})
}

// What decodeState accepts it accepts in one spelling alone, and no prefix of
// that. The second argument says whether the sum is made to fit.
func FuzzDecodeState(f *testing.F) {
	for _, r := range []record{
		{Format: stateFormat, Tools: digest(set(toolSet)), Revision: 5, Revoked: []string{publish}},
		{Format: stateFormat, Tools: digest(nil), Revision: MaxRevision, Closed: true},
		{Format: 2, Revoked: []string{"\u2028", "<&>"}},
	} {
		data, err := r.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
		f.Add(data[:len(data)-sumSize], true)
		f.Add(data[:len(data)/2], false)
	}
	f.Add([]byte("{}\n"), true)
	f.Add([]byte("null\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, fits bool) {
		if fits {
			data = append(bytes.Clone(data), sum(data)...)
		}
		r, err := decodeState(data)
		if err != nil {
			if code := codeOf(err); code != StateTruncated && code != StateMalformed {
				t.Fatal("refused without a code of its own")
			}
			return
		}
		again, err := r.encode()
		if err != nil || !bytes.Equal(again, data) || r.Revision > MaxRevision || r.Format != stateFormat {
			t.Fatal("accepted what a gate does not write")
		}
		for n := range data {
			if _, err := decodeState(data[:n]); codeOf(err) != StateTruncated {
				t.Fatal("a prefix of a state is not seen as one")
			}
		}
	})
}
