package reports

import (
	"bytes"
	"strings"
	"testing"
)

// Every digest that a schema declares is at a place that is found.
func TestEveryDigestOfTheSchemasIsPlaced(t *testing.T) {
	for file, schema := range map[string][]byte{evidenceFile: evidenceSchema, manifestFile: manifestSchema} {
		if declared, placed := bytes.Count(schema, []byte(`"$comment": "digest"`)), len(digestsOf(file)); declared != placed {
			t.Errorf("%s: %d digests are declared and %d placed", file, declared, placed)
		}
	}
	if len(digestsOf(evidenceFile)) == 0 {
		t.Error("the evidence has no digest")
	}
}

func TestBlankTakesOutDigestsAndNothingElse(t *testing.T) {
	hex40, hex64 := strings.Repeat("0123456789", 4), strings.Repeat("01234567", 8)
	gap40, gap64 := strings.Repeat(" ", 40), strings.Repeat(" ", 64)
	for name, c := range map[string]struct{ file, text, want string }{
		"a commit":                 {evidenceFile, `{"generator": {"commit": "` + hex40 + `"}}`, `{"generator": {"commit": "` + gap40 + `"}}`},
		"too short for a commit":   {evidenceFile, `{"generator":{"commit":"` + hex40[:32] + `"}}`, ""},
		"elsewhere":                {evidenceFile, `{"run":{"commit":"` + hex40 + `"}}`, ""},
		"escaped":                  {evidenceFile, `{"generator":{"commit":"\u0030` + hex40[1:] + `"}}`, ""},
		"in another file":          {junitFile, `{"generator":{"commit":"` + hex40 + `"}}`, ""},
		"a line of sums":           {sumsFile, hex64 + "  a\n", gap64 + "  a\n"},
		"no line of sums":          {sumsFile, hex64 + " *a\n", ""},
		"before the JSON breaks":   {evidenceFile, `{"manifest_sha256":"` + hex64 + `",}`, `{"manifest_sha256":"` + gap64 + `",}`},
		"a digest after its digit": {evidenceFile, `{"manifest_sha256":"` + hex64 + `0"}`, ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		given := []byte(c.text)
		if got := string(Blank(c.file, given)); got != c.want || string(given) != c.text {
			t.Errorf("%s: %s", name, got)
		}
	}
}
