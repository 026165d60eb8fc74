package reports

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// span is one string value of a JSON file.
type span struct {
	path       string
	start, end int
}

func stringsIn(data []byte) []span {
	var spans []span
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return spans
		}
		kind, length := d.StackIndex(d.StackDepth())
		if name := kind == '{' && length%2 == 1; token.Kind() != '"' || name {
			continue
		}
		end := int(d.InputOffset())
		spans = append(spans, span{string(d.StackPointer()), end - len(token.String()) - 2, end})
	}
}

// TestNoStringFieldHoldsACanary puts a canary in the place of every string of a
// bundle, in dresses that it might wear.
func TestNoStringFieldHoldsACanary(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	raw, _ := hex.DecodeString("9f3c07d1a85be2460b7ce19d5f28a4c3")
	digits := hex.EncodeToString(raw)
	dresses := map[string]string{
		"hex":              digits,
		"upper-case hex":   strings.ToUpper(digits),
		"hex and padding":  digits + strings.Repeat("0", 8),
		"hex in tens":      digits[:10] + "-" + digits[10:20] + "-" + digits[20:30] + "-" + digits[30:],
		"hex in fours":     "a" + pieces(digits, 4, "-"),
		"hex one by one":   "a" + pieces(digits, 1, "-"),
		"hex dotted":       "a" + pieces(digits, 3, "."),
		"half of it":       digits[:16],
		"half, dotted":     "a." + pieces(digits[:16], 4, "."),
		"after a word":     "protected/" + digits,
		"base64":           base64.RawStdEncoding.EncodeToString(raw),
		"base64url":        base64.RawURLEncoding.EncodeToString(raw),
		"base32":           strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw)),
		"digest-like":      "sha256:" + digits,
		"number":           "211627634234554376112",
		"numbers, hyphens": "a-159-60-7-209-168-91-226-70-11",
		"space":            "a " + digits[:8],
		"raw":              `\u009f\u003c`,
	}
	for _, file := range []string{evidenceFile, manifestFile} {
		compiled := s.evidence
		if file == manifestFile {
			compiled = s.manifest
		}
		spans := stringsIn(good[file])
		if len(spans) < 50 {
			t.Fatalf("%s: only %d strings found", file, len(spans))
		}
		// A batch at a time: each of its strings must be named as outside.
		for batch := range slices.Chunk(spans, problemsListed/2) {
			for dress, text := range dresses {
				problems := validate(compiled, file, replaced(good[file], batch, text))
				for _, at := range batch {
					if at.path == "/generator/commit" && dress == "hex and padding" {
						continue // 40 digits are what a commit is: for the campaign's own scan and the signature
					}
					if !slices.Contains(problems, Problem{OutsideSchema, file, at.path}) {
						t.Errorf("%s %s: %s is within the schema", file, at.path, dress)
					}
				}
			}
		}
	}
}

// replaced puts one string in the place of several.
func replaced(data []byte, spans []span, text string) []byte {
	var changed []byte
	last := 0
	for _, at := range spans {
		changed = append(append(changed, data[last:at.start]...), '"')
		changed = append(append(changed, text...), '"')
		last = at.end
	}
	return append(changed, data[last:]...)
}

func pieces(text string, n int, separator string) string {
	var parts []string
	for piece := range slices.Chunk([]byte(text), n) {
		parts = append(parts, string(piece))
	}
	return strings.Join(parts, separator)
}

func TestNoCanaryIsAWordHoweverItIsCut(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	rapid.Check(t, func(t *rapid.T) {
		digits := hex.EncodeToString(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "canary"))
		var cut strings.Builder
		cut.WriteString(rapid.SampledFrom([]string{"", "a", "net.", "profile/", "x-"}).Draw(t, "prefix"))
		for _, digit := range digits {
			cut.WriteString(rapid.SampledFrom([]string{"", "", "", "-", ".", "/"}).Draw(t, "separator"))
			cut.WriteRune(digit)
		}
		m, _ := sample()
		m.Schema, m.Trials[0].ID = SchemaVersion, cut.String()
		data, err := encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if validate(s.manifest, manifestFile, data) == nil {
			t.Errorf("%s is a trial's id", cut.String())
		}
	})
}

func TestOrdinaryIdsAreWords(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	for _, id := range []string{
		"protected/1", "profile/network-host", "profile.network-none", "dns.label.base64url.tcp", "net.tcp4.child", "frame/duplicate-key",
		"pair/network-none.log-none", "ceiling/public-tool", "frame/utf16le", "failure/stderr-flood", "frame/limit-1024", "supervision/bridge-killed",
		"dns.label.base32", "profile/cap-add-net-raw", "frame/invalid-utf8", "guard/unauthenticated",
	} {
		m, _ := sample()
		m.Schema, m.Trials[0].ID = SchemaVersion, id
		data, _ := encode(m)
		if problems := validate(s.manifest, manifestFile, data); problems != nil {
			t.Errorf("%s: %v", id, problems)
		}
	}
}

func TestWhatIsNoWord(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	for name, id := range map[string]string{
		"empty":                    "",
		"a piece of 16":            "profile/zzzzzzzzzzzzzzzz",
		"digits in two places":     "profile/x1y2",
		"a number of 5 digits":     "frame/limit-65536",
		"16 hexadecimal digits":    "frame/12-34-56-78-9-0-ab-cd-ef",
		"a capital":                "profile/Network",
		"a digit first":            "1/profile",
		"an empty piece":           "profile//network",
		"a separator at the end":   "profile/",
		"a space":                  "profile/network host",
		"a newline":                "profile/network\n",
		"a letter of no ASCII":     "profile/n\u00e9twork",
		"thirteen pieces":          "a/b/c/d/e/f/g/h/i/j/k/l/m",
		"too long":                 "a" + strings.Repeat("-zzzzzzzzz", 10),
		"a path":                   "../network",
		"markup":                   "<b>network</b>",
		"a terminal's escape code": "network\u001b",
	} {
		m, _ := sample()
		m.Schema, m.Trials[0].ID = SchemaVersion, id
		data, _ := encode(m)
		if validate(s.manifest, manifestFile, data) == nil {
			t.Errorf("%s is a trial's id", name)
		}
	}
}

// TestASupervisionTrialNamesItsFaultAndItsRun holds for the plan and for the
// evidence; ids of other kinds are free.
func TestASupervisionTrialNamesItsFaultAndItsRun(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	for id, good := range map[string]bool{
		"supervision/bridge-killed/1": true, "supervision/stop-fails-twice/9999": true,
		"supervision/bridge-killed": false, "supervision/bridge-killed/0": false, "supervision/bridge-killed/01": false,
		"supervision/bridge-killed/1/2": false, "supervision/bridge.killed/1": false, "supervision/bridge-killed/x": false,
		"failure/bridge-killed/1": false, "supervision/1": false, "a/supervision/x/1": false,
	} {
		m, e := sample()
		m.Schema, e.Schema, e.Generator.Name, e.ManifestSHA256 = SchemaVersion, SchemaVersion, "postern", digest(nil)
		for kind, want := range map[Kind]bool{Supervision: good, FailureMode: true} {
			e.Trials[8].ID, e.Trials[8].Kind, e.Trials[8].StoppedUS = id, kind, 0
			m.Trials[8].ID, m.Trials[8].Kind = id, kind
			plan, _ := encode(m)
			result, _ := encode(Complete(e))
			at := func(file string) Problem { return Problem{OutsideSchema, file, "/trials/8/id"} }
			if got := !slices.Contains(validate(s.manifest, manifestFile, plan), at(manifestFile)); got != want {
				t.Errorf("plan: %s as %s: %v", id, kind, got)
			}
			if got := !slices.Contains(validate(s.evidence, evidenceFile, result), at(evidenceFile)); got != want {
				t.Errorf("evidence: %s as %s: %v", id, kind, got)
			}
		}
	}
}

// TestTheSchemasAreClosed walks the schemas themselves: whatever is added later
// must close its objects and bound its strings, lists and numbers.
func TestTheSchemasAreClosed(t *testing.T) {
	for urn, text := range map[string][]byte{evidenceURN: EvidenceSchema(), manifestURN: ManifestSchema()} {
		var root map[string]any
		must(t, json.Unmarshal(text, &root))
		objects := 0
		walk(root, func(node map[string]any) {
			has := func(key string) bool { _, ok := node[key]; return ok }
			switch node["type"] {
			case "object":
				objects++
				var names []any
				for name := range node["properties"].(map[string]any) {
					names = append(names, name)
				}
				required, _ := node["required"].([]any)
				if node["additionalProperties"] != false || len(required) != len(names) {
					t.Errorf("%s: an object is open or has optional fields: %v", urn, required)
				}
			case "string":
				if pattern, _ := node["pattern"].(string); !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
					t.Errorf("%s: a string without an anchored pattern", urn)
				}
				if !has("maxLength") && node["$comment"] != "digest" && strings.ContainsAny(node["pattern"].(string), "*+") && !strings.Contains(node["pattern"].(string), `\.`) {
					t.Errorf("%s: a string without a length", urn)
				}
			case "array":
				if !has("maxItems") || !has("items") {
					t.Errorf("%s: a list without bounds", urn)
				}
			case "integer":
				if !has("minimum") || !has("maximum") {
					t.Errorf("%s: a number without bounds", urn)
				}
			case "number", "null":
				t.Errorf("%s: a type that the format has not", urn)
			}
		})
		if objects == 0 {
			t.Errorf("%s: no object found", urn)
		}
	}
}

func walk(node any, visit func(map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		visit(node)
		for _, child := range node {
			walk(child, visit)
		}
	case []any:
		for _, child := range node {
			walk(child, visit)
		}
	}
}

// TestTheSchemasNameTheFieldsOfTheTypes keeps the Go types and the schemas one
// format: the same names in the same order.
func TestTheSchemasNameTheFieldsOfTheTypes(t *testing.T) {
	var evidence, manifest map[string]any
	must(t, json.Unmarshal(EvidenceSchema(), &evidence))
	must(t, json.Unmarshal(ManifestSchema(), &manifest))
	compareFields(t, evidence, evidence, reflect.TypeFor[Evidence](), "evidence")
	compareFields(t, manifest, evidence, reflect.TypeFor[Manifest](), "manifest")
}

func compareFields(t *testing.T, node, evidence map[string]any, goType reflect.Type, path string) {
	if ref, ok := node["$ref"].(string); ok {
		_, name, _ := strings.Cut(ref, "#/$defs/")
		node = evidence["$defs"].(map[string]any)[name].(map[string]any)
	}
	switch goType.Kind() {
	case reflect.Slice:
		compareFields(t, node["items"].(map[string]any), evidence, goType.Elem(), path+"[]")
	case reflect.Struct:
		var want, got []string
		fields := reflect.VisibleFields(goType)
		fields = slices.DeleteFunc(fields, func(f reflect.StructField) bool { return f.Anonymous })
		for _, f := range fields {
			want = append(want, f.Tag.Get("json"))
		}
		for _, name := range node["required"].([]any) {
			got = append(got, name.(string))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
			return
		}
		properties := node["properties"].(map[string]any)
		for i, name := range want {
			compareFields(t, properties[name].(map[string]any), evidence, fields[i].Type, path+"."+name)
		}
	}
}
