package bridge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func manyAttempts(n int) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf(`"c%d":0`, i)
	}
	return `{"attempts":{` + strings.Join(entries, ",") + `}}`
}

func TestReportAccepts(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, r := range []struct {
		arguments string
		want      map[string]int
	}{
		{`{"attempts":{}}`, map[string]int{}},
		{`{"attempts":{"net.tcp4":0,"dns.label.base-32":4095}}`, map[string]int{"net.tcp4": 0, "dns.label.base-32": 4095}},
		{`{ "attempts" : { "a" : 1 } }`, map[string]int{"a": 1}},
		{`{"attempts":{"` + long + `":1}}`, map[string]int{long: 1}},
	} {
		got, ok := parseReport([]byte(r.arguments))
		if !ok || !cmp.Equal(got, r.want) {
			t.Errorf("%s: %v, accepted: %v", r.arguments, got, ok)
		}
	}
	if got, ok := parseReport([]byte(manyAttempts(maxAttempts))); !ok || len(got) != maxAttempts {
		t.Errorf("%d attempts of %d, accepted: %v", len(got), maxAttempts, ok)
	}
}

func TestReportRefuses(t *testing.T) {
	for _, arguments := range []string{
		`{}`,
		`{"attempts":null}`,
		`{"attempts":[]}`,
		`{"attempts":"net.tcp4"}`,
		`{"attempts":1}`,
		`{"Attempts":{}}`,
		`{"attempts":{},"note":"canary"}`,
		`{"attempts":{"a":-1}}`,
		`{"attempts":{"a":4096}}`,
		`{"attempts":{"a":65536}}`,
		`{"attempts":{"a":1.0}}`,
		`{"attempts":{"a":1e0}}`,
		`{"attempts":{"a":"1"}}`,
		`{"attempts":{"a":null}}`,
		`{"attempts":{"a":true}}`,
		`{"attempts":{"a":{"b":1}}}`,
		`{"attempts":{"":1}}`,
		`{"attempts":{"A":1}}`,
		`{"attempts":{"a b":1}}`,
		`{"attempts":{"a_b":1}}`,
		`{"attempts":{"ä":1}}`,
		`{"attempts":{"` + strings.Repeat("a", 65) + `":1}}`,
		manyAttempts(maxAttempts + 1),
	} {
		if got, ok := parseReport([]byte(arguments)); ok || got != nil {
			t.Errorf("accepted %.80s", arguments)
		}
	}
}

// FuzzReport: what is accepted is within the bounds that it is recorded under.
func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"attempts":{"net.tcp4":101}}`))
	f.Add([]byte(`{"attempts":{"a":4096}}`))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		attempts, ok := parseReport(arguments)
		if ok != (attempts != nil) || len(attempts) > maxAttempts {
			t.Fatal("accepted too much")
		}
		for channel, errno := range attempts {
			if errno < 0 || errno > maxErrno || strings.ContainsAny(channel, " \"\n\x00") || len(channel) > maxChannel {
				t.Fatal("accepted an entry out of bounds")
			}
		}
	})
}
