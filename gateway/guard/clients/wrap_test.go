package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"postern/gateway/guard"
)

var update = flag.Bool("update", false, "write the golden files anew")

const program = "/opt/postern"

func client(id string) Client {
	all := All()
	return all[slices.IndexFunc(all, func(c Client) bool { return c.ID == id })]
}

// wrapAll wraps what can be wrapped, with markers of every kind.
func wrapAll(d *Document) ([]byte, map[int]guard.Wrapped) {
	with := map[int]guard.Wrapped{}
	for i, s := range d.Servers {
		if s.Wrapped || s.Left != "" {
			continue
		}
		command := append([]string{s.Program}, s.Args...)
		w := guard.Wrapped{Server: s.Name, Original: guard.OriginalHash(s.Name, command, s.Listed), Command: command, Required: i%2 == 1}
		if i%3 != 2 {
			w.Profile = strings.Repeat("0123456789abcdef", 4)
		}
		with[i] = w
	}
	return d.Wrap(program, with), with
}

func unwrapAll(d *Document) []byte {
	var which []int
	for i, s := range d.Servers {
		if s.Wrapped && s.Left == "" && s.Inner.Unchanged() {
			which = append(which, i)
		}
	}
	return d.Unwrap(which)
}

// roundTrip holds a file to everything that the package promises of it, and
// reports how many servers were wrapped.
func roundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, raw []byte, c Client) (wrapped []byte, n int) {
	t.Helper()
	d, err := Parse(raw, c)
	if err != nil {
		if left := (*Left)(nil); !errors.As(err, &left) || left.Why == "" {
			t.Fatalf("%v", err)
		}
		return raw, 0
	}
	wrapped, with := wrapAll(d)
	after, err := Parse(wrapped, c)
	if err != nil {
		t.Fatalf("what was wrapped cannot be read: %v\n%s", err, wrapped)
	}
	if len(after.Servers) != len(d.Servers) {
		t.Fatalf("%d servers became %d", len(d.Servers), len(after.Servers))
	}
	for i, s := range after.Servers {
		w, was := with[i]
		if was && (s.Left != "" || !s.Wrapped || s.Program != program || s.Name != w.Server || !cmp.Equal(s.Inner, w)) {
			t.Fatalf("server %d is not wrapped as it should be: %s", i, cmp.Diff(w, s.Inner))
		}
		if old := d.Servers[i]; !was && !cmp.Equal(old, s, cmpopts.IgnoreUnexported(Server{})) {
			t.Fatalf("server %d changed: %s", i, cmp.Diff(old, s, cmpopts.IgnoreUnexported(Server{})))
		}
	}
	if again, more := wrapAll(after); len(more) > 0 || !bytes.Equal(again, wrapped) {
		t.Fatalf("wrapped twice is not wrapped once")
	}
	if !cmp.Equal(others(t, raw, d, with), others(t, wrapped, d, with)) {
		t.Fatalf("something else changed:\n%s", wrapped)
	}
	// What was wrapped before is unwrapped too: set it aside first.
	before := unwrapAll(d)
	if back := unwrapAll(after); !bytes.Equal(back, before) {
		t.Fatalf("not restored:\n%q\n%q", before, back)
	}
	return wrapped, len(with)
}

// others is all that a file says, but for the commands that are wrapped.
func others(t interface {
	Helper()
	Fatalf(string, ...any)
}, raw []byte, d *Document, with map[int]guard.Wrapped) any {
	t.Helper()
	if len(with) == 0 {
		return nil
	}
	v, err := hujson.Parse(append(bytes.TrimPrefix(slices.Clone(raw), bom), '\n'))
	if err != nil {
		t.Fatalf("%v", err)
	}
	v.Standardize()
	decoder := json.NewDecoder(bytes.NewReader(v.Pack()))
	decoder.UseNumber()
	var all any
	if err := decoder.Decode(&all); err != nil {
		return nil // deeper than encoding/json goes
	}
	names := map[string]bool{}
	for i := range with {
		names[d.Servers[i].Name] = true
	}
	forget(all, names)
	return all
}

// forget takes out the commands of all that has one of the names.
func forget(v any, names map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			forget(e, names)
		}
	case map[string]any:
		for key, e := range v {
			if entry, ok := e.(map[string]any); ok && names[key] {
				if inner, ok := entry["command"].(map[string]any); ok {
					delete(inner, "path")
					delete(inner, "args")
				} else {
					delete(entry, "command")
					delete(entry, "args")
				}
			}
			forget(e, names)
		}
	}
}

func TestOddFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/odd/*.json")
	if len(files) < 5 {
		t.Fatalf("%d files", len(files))
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		wrapped, n := roundTrip(t, raw, client("cursor"))
		if n == 0 {
			t.Errorf("%s: nothing was wrapped", name)
		}
		golden := strings.TrimSuffix(name, ".json") + ".wrapped"
		if *update {
			os.WriteFile(golden, wrapped, 0o644)
		}
		if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(want, wrapped) {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(string(want), string(wrapped)))
		}
	}
}

func TestWhatIsLeftAlone(t *testing.T) {
	raw, _ := os.ReadFile("testdata/odd/left-alone.json")
	d, err := Parse(raw, client("cursor"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range d.Servers {
		got = append(got, s.Name+": "+string(s.Left))
	}
	want := []string{
		"sse: url", "windsurf: url", "both: ambiguous", "http with a command: ambiguous", "twice: ambiguous", "two commands: ambiguous",
		"variables: variables", "twice: ambiguous", "no command: misshapen", "a number: misshapen", "no list: misshapen", "null: misshapen",
		": misshapen", "zero: misshapen", "half: not-whole", "wrapped: ", "good: ",
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if d, _ := Parse(raw, client("gemini-cli")); d.Servers[len(d.Servers)-1].Left != Variables {
		t.Error("$HOME is a variable there")
	}
}

func TestFilesThatAreLeftAlone(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want Left
	}{
		{"{\n  \"mcpServers\": {,}}", Left{NotJSON, 2, 18}},
		{"{'mcpServers': {}}", Left{NotJSON, 1, 2}},
		{"{\"a\": \"\xff\"}", Left{Why: NotUTF8}},
		{"[]", Left{Why: Misshapen}},
		{`{"mcpServers": []}`, Left{Why: Misshapen}},
		{`{"mcpServers": {}, "mcpServers": {}}`, Left{Why: Ambiguous}},
		{`{"mcpServers": {}, "projects": {"/a": {"mcpServers": {}}, "/a": {}}}`, Left{Why: Ambiguous}},
		{strings.Repeat("[", maxDepth+1), Left{Why: TooDeep}},
		{`{"a": "\"", "b": ` + strings.Repeat("[", maxDepth), Left{Why: TooDeep}},
		{strings.Repeat("/* ] */[// ]\n", maxDepth+1), Left{Why: TooDeep}},
	} {
		var left *Left
		if _, err := Parse([]byte(c.raw), client("claude-code")); !errors.As(err, &left) || *left != c.want {
			t.Errorf("%.40q: %v, want %+v", c.raw, err, c.want)
		}
	}
	for _, raw := range []string{"", " \n", "\uFEFF", "{}", `{"mcpServers": null}`, `{"mcpServers": {}, "history": "` + strings.Repeat("[", maxDepth+1) + `"}`} {
		if d, err := Parse([]byte(raw), client("claude-code")); err != nil || len(d.Servers) > 0 {
			t.Errorf("%.40q: %v", raw, err)
		}
	}
}

func TestShapesOfClients(t *testing.T) {
	for id, raw := range map[string]string{
		"claude-code": `{"mcpServers": {"a": {"command": "a"}}, "projects": {"/p": {"mcpServers": {"b": {"command": "b"}}}, "/q": {}}}`,
		"vscode":      `{"inputs": [], "servers": {"a": {"type": "stdio", "command": "a"}, "b": {"command": "b", "args": []}}}`,
		"zed":         `{"context_servers": {"a": {"command": {"path": "a", "args": ["x"], "env": {}}, "settings": {}}, "b": {"command": {"path": "b"}}, "c": {"settings": {}}}}`,
	} {
		if _, n := roundTrip(t, []byte(raw), client(id)); n != 2 {
			t.Errorf("%s: %d servers were wrapped", id, n)
		}
	}
	d, _ := Parse([]byte(`{"projects": {"/p": {"mcpServers": {"b": {"command": "b"}}}}}`), client("claude-code"))
	if d.Servers[0].Project != "/p" {
		t.Errorf("of project %q", d.Servers[0].Project)
	}
}

// A client or an editor may write the file anew in its own way; then what the
// file says comes back, if not every byte.
func TestFormattedInBetween(t *testing.T) {
	raw := []byte(`{"mcpServers": {"bare": {"command": "a"}, "empty": {"args": [], "command": "b"}, "full": {"command": "c", "args": ["x", "y"]}}}`)
	d, _ := Parse(raw, client("cursor"))
	wrapped, _ := wrapAll(d)
	for name, format := range map[string]func([]byte) []byte{
		"in lines":             func(b []byte) []byte { v, _ := hujson.Parse(b); v.Format(); return v.Pack() },
		"with trailing commas": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("]"), []byte(" /* x */ , ]")) },
		"keys in order": func(b []byte) []byte {
			var v any
			json.Unmarshal(b, &v)
			out, _ := json.MarshalIndent(v, "", "  ")
			return out
		},
	} {
		after, err := Parse(format(wrapped), client("cursor"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := Parse(unwrapAll(after), client("cursor"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, s := range back.Servers {
			if old := d.Servers[i]; s.Wrapped || s.Name != old.Name || s.Program != old.Program || !slices.Equal(s.Args, old.Args) {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// draw makes a file of odd spaces, comments, commas and escapes.
func draw(t *rapid.T) []byte {
	gap := rapid.SampledFrom([]string{"", " ", "\n\t", "/* [\" */", "// }\n", "\r\n", " /**/ "})
	word := rapid.SampledFrom([]string{`"a"`, `"\u0061b"`, `"-y"`, `""`, `"--"`, `"é\n"`, `"/*"`, `"\\"`, `"]"`, `"guard"`})
	g := func() string { return gap.Draw(t, "gap") }
	comma := func(last bool) string {
		if !last || rapid.Bool().Draw(t, "trailing") {
			return ","
		}
		return ""
	}
	var b strings.Builder
	b.WriteString(g() + "{" + g() + `"mcpServers"` + g() + ":" + g() + "{")
	n := rapid.IntRange(0, 4).Draw(t, "servers")
	for i := range n {
		b.WriteString(g() + `"s` + string(rune('0'+i)) + `"` + g() + ":" + g() + "{" + g())
		keys := rapid.Permutation([]string{"command", "args", "env"}[:rapid.IntRange(1, 3).Draw(t, "keys")]).Draw(t, "order")
		for k, key := range keys {
			value := `{"X":"y"` + g() + "}"
			switch key {
			case "command":
				value = rapid.SampledFrom([]string{`"npx"`, `"\u006epx"`, `"/opt/a b"`}).Draw(t, "command")
			case "args":
				words := rapid.SliceOfN(word, 0, 3).Draw(t, "words")
				value = "["
				for j, w := range words {
					value += g() + w + g() + comma(j == len(words)-1)
				}
				value += g() + "]"
			}
			b.WriteString(`"` + key + `"` + g() + ":" + g() + value + g() + comma(k == len(keys)-1) + g())
		}
		b.WriteString("}" + g() + comma(i == n-1))
	}
	b.WriteString(g() + "}" + g() + "}" + g())
	return []byte(b.String())
}

func TestAnyFileComesBack(t *testing.T) {
	wrapped := 0
	rapid.Check(t, func(t *rapid.T) {
		_, n := roundTrip(t, draw(t), client("cursor"))
		wrapped += n
	})
	if wrapped < 20 {
		t.Errorf("only %d servers were wrapped: the files are not what they should be", wrapped)
	}
}

func FuzzWrap(f *testing.F) {
	files, _ := filepath.Glob("testdata/odd/*")
	for _, name := range files {
		raw, _ := os.ReadFile(name)
		f.Add(raw)
	}
	f.Add([]byte(`{"context_servers": {"a": {"command": {"path": "a", "args": ["x"]}}}, "servers": {"b": {"command": "b"}}, "projects": {"/p": {"mcpServers": {"b": {"command": "b"}}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, id := range []string{"claude-code", "vscode", "zed"} {
			roundTrip(t, raw, client(id))
		}
	})
}
