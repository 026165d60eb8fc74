package docker

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"postern/gateway/confine"

	"github.com/go-json-experiment/json/jsontext"
)

// The recorded accounts are of Engine 20.10.24, made with -record.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func accounts() []string { return []string{"created.json", "started.json"} }

func admit(inspect []byte) []confine.Refusal {
	return Admit(confine.Reference(), testImage(), inspect)
}

// forgettable are the keys that later Engines leave out.
func forgettable(path string) bool {
	return path == "HostConfig.KernelMemory" || path == "HostConfig.KernelMemoryTCP" ||
		path == "Config.Labels.postern" // a map of the caller's
}

func TestAdmitRecorded(t *testing.T) {
	for _, name := range accounts() {
		if got := admit(recorded(t, name)); got != nil {
			t.Errorf("%s is refused: %v", name, got)
		}
	}
}

// tree reads an account as plain maps and lists.
func tree(t testing.TB, raw []byte) map[string]any {
	t.Helper()
	var out map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// visit calls f at every key of every object, with a way to set it.
func visit(path string, node map[string]any, f func(path string, parent map[string]any, key string)) {
	for key, child := range node {
		p := strings.TrimPrefix(path+"."+key, ".")
		f(p, node, key)
		if m, ok := child.(map[string]any); ok {
			visit(p, m, f)
		}
	}
}

func TestAdmitRefusesEveryMissingKey(t *testing.T) {
	for _, name := range accounts() {
		root := tree(t, recorded(t, name))
		visit("", root, func(path string, parent map[string]any, key string) {
			was := parent[key]
			delete(parent, key)
			if got := admit(encode(t, root)); (got == nil) != forgettable(path) {
				t.Errorf("%s without %s: %v", name, path, got)
			}
			parent[key] = was
		})
		if admit(encode(t, root)) != nil {
			t.Fatal("the account was not put back together")
		}
	}
}

func TestAdmitRefusesEveryUnknownKey(t *testing.T) {
	for _, name := range accounts() {
		root := tree(t, recorded(t, name))
		var paths []string
		visit("", root, func(path string, parent map[string]any, key string) { paths = append(paths, path) })
		visit("", root, func(path string, parent map[string]any, key string) {
			m, ok := parent[key].(map[string]any)
			if !ok || path == "Config.Labels" {
				return
			}
			m["Novelty"] = false
			if admit(encode(t, root)) == nil {
				t.Errorf("%s with a novelty in %s is admitted", name, path)
			}
			delete(m, "Novelty")
		})
		root["Novelty"] = nil
		if got := controls(admit(encode(t, root))); !slices.Equal(got, []confine.Control{confine.Unrecognised}) {
			t.Errorf("%s with a novelty: %v", name, got)
		}
		if len(paths) < 100 {
			t.Errorf("%s has %d keys, which is too few to be an account", name, len(paths))
		}
	}
}

// others are other values of a leaf: near ones, and ones of another kind.
func others(v any) []any {
	all := []any{nil, true, false, json.Number("0"), json.Number("1"), json.Number("-1"), "", "x", "host", []any{"x"}, []any{}, map[string]any{"x": "y"}}
	if n, ok := v.(json.Number); ok && n != "0" {
		all = append(all, json.Number(n.String()+"0"), json.Number(n.String()+".0"))
	}
	if s, ok := v.(string); ok {
		all = append(all, s+"x", "/"+s, strings.ToUpper(s)+"X")
	}
	return all
}

// same tells spellings that mean the same nothing.
func same(a, b any) bool {
	nothing := func(v any) bool {
		switch v := v.(type) {
		case nil:
			return true
		case []any:
			return len(v) == 0
		case map[string]any:
			return len(v) == 0
		}
		return false
	}
	return nothing(a) && nothing(b) || bytes.Equal(mustJSON(a), mustJSON(b))
}

func mustJSON(v any) []byte { out, _ := json.Marshal(v); return out }

// tolerated are the other values that are admitted: what differs from
// container to container is held to its form only, and some Engines that are as
// strict say it differently.
func tolerated(path string, v any) bool {
	text, _ := v.(string)
	switch path {
	case "Args", "Path", "Config.Cmd", "Config.Entrypoint", "Config.Labels", "Config.Labels.postern":
		return true // the image's and the caller's
	case "Name", "GraphDriver.Data.LowerDir", "GraphDriver.Data.MergedDir", "GraphDriver.Data.UpperDir", "GraphDriver.Data.WorkDir":
		return strings.HasPrefix(text, "/")
	case "ResolvConfPath", "HostnamePath", "HostsPath", "NetworkSettings.SandboxKey":
		return strings.HasPrefix(text, "//var/") // any directory before the container's own
	case "State.Pid":
		return v == json.Number("1") || v == json.Number("42420")
	case "AppArmorProfile":
		return v == "docker-default"
	case "Config.WorkingDir": // BuildKit
		return v == "/"
	case "HostConfig.OomKillDisable": // cgroup v2
		return v == nil
	}
	return false
}

func TestAdmitRefusesEveryOtherValue(t *testing.T) {
	for _, name := range accounts() {
		root := tree(t, recorded(t, name))
		changed := 0
		visit("", root, func(path string, parent map[string]any, key string) {
			was := parent[key]
			for _, v := range others(was) {
				if same(v, was) || tolerated(path, v) {
					continue
				}
				parent[key] = v
				changed++
				if admit(encode(t, root)) == nil {
					t.Errorf("%s with %s = %s is admitted", name, path, mustJSON(v))
				}
			}
			parent[key] = was
		})
		if changed < 1000 {
			t.Errorf("only %d changes of %s were tried", changed, name)
		}
	}
}

// Lists of strings lose an entry, and get one more.
func TestAdmitComparesListsWhole(t *testing.T) {
	root := tree(t, recorded(t, "created.json"))
	visit("", root, func(path string, parent map[string]any, key string) {
		was, ok := parent[key].([]any)
		if !ok || path == "Args" || path == "Config.Entrypoint" {
			return
		}
		superset := path == "HostConfig.MaskedPaths" || path == "HostConfig.ReadonlyPaths" // later Engines cover more
		parent[key] = append(slices.Clone(was), "/more")
		if got := admit(encode(t, root)); (got == nil) != superset {
			t.Errorf("%s with one more: %v", path, got)
		}
		for i := range was {
			if path == "Config.Env" {
				break // an image without a variable is fine
			}
			parent[key] = slices.Delete(slices.Clone(was), i, i+1)
			if admit(encode(t, root)) == nil {
				t.Errorf("%s without its entry %d is admitted", path, i)
			}
		}
		parent[key] = was
	})
}

func TestAdmitRefusesMalformedAccounts(t *testing.T) {
	good := string(recorded(t, "created.json"))
	for name, bad := range map[string]string{
		"nothing":              "",
		"white space":          " \n",
		"null":                 "null",
		"a list":               "[" + good + "]",
		"an empty object":      "{}",
		"empty objects":        `{"HostConfig":{},"Config":{},"NetworkSettings":{},"State":{}}`,
		"half":                 good[:len(good)/2],
		"all but the end":      strings.TrimSuffix(good, "}\n"),
		"two":                  good + good,
		"more":                 good + "x",
		"a duplicate":          strings.Replace(good, `"NetworkMode": "none"`, `"NetworkMode": "host", "NetworkMode": "none"`, 1),
		"an escaped duplicate": strings.Replace(good, `"NetworkMode": "none"`, `"NetworkMod\u0065": "host", "NetworkMode": "none"`, 1),
		"a deep duplicate":     strings.Replace(good, `"Hard": 0`, `"Hard": 1, "Hard": 0`, 1),
		"another case":         strings.Replace(good, `"NetworkMode"`, `"networkMode"`, 1),
		"a case variant":       strings.Replace(good, `"NetworkMode": "none"`, `"networkmode": "host", "NetworkMode": "none"`, 1),
		"a dotted key":         strings.Replace(good, `"RestartCount": 0`, `"RestartCount": 0, "HostConfig.NetworkMode": "none"`, 1),
		"an escaped value":     strings.Replace(good, `"NetworkMode": "none"`, `"NetworkMode": "non\u0065"`, 1),
		"invalid UTF-8":        strings.Replace(good, `/recorded`, "/record\xff", 1),
		"a byte order mark":    "\ufeff" + good,
	} {
		if bad == good {
			t.Fatalf("%s: nothing was changed", name)
		}
		if admit([]byte(bad)) == nil {
			t.Errorf("%s is admitted", name)
		}
	}
}

// A weak wish is refused although the container is strict.
func TestAdmitRefusesWeakWishes(t *testing.T) {
	good := recorded(t, "created.json")
	for _, c := range weakenings() {
		want := confine.Reference()
		c.apply(&want, world{dir: "/srv/in", peer: "peer"})
		got := controls(Admit(want, testImage(), good))
		if len(got) == 0 {
			t.Errorf("%s is admitted", c.name)
		}
	}
	for _, image := range []string{"", "agent", "sha256:" + strings.Repeat("03", 32)} {
		if got := controls(Admit(confine.Reference(), image, good)); !slices.Equal(got, []confine.Control{confine.ImageImmutable}) {
			t.Errorf("another image: %v", got)
		}
	}
}

// A wish that is stricter than the reference must be met to the letter.
func TestAdmitTakesLimitsFromTheWish(t *testing.T) {
	good := recorded(t, "created.json")
	for control, change := range map[confine.Control]func(*confine.Profile){
		confine.PidsLimit:   func(p *confine.Profile) { p.Pids = 31 },
		confine.MemoryLimit: func(p *confine.Profile) { p.Memory = 64 << 20 },
		confine.UserNonroot: func(p *confine.Profile) { p.User = "10002:10002" },
	} {
		want := confine.Reference()
		change(&want)
		if got := controls(Admit(want, testImage(), good)); !slices.Equal(got, []confine.Control{control}) {
			t.Errorf("a stricter wish than %s: %v", control, got)
		}
	}
}

func TestAdmitImageRecorded(t *testing.T) {
	good := recorded(t, "image.json")
	if got := AdmitImage(testImage(), bytes.ReplaceAll(good, []byte(strings.Repeat("01", 32)), []byte(strings.Repeat("02", 32)))); got != nil {
		t.Errorf("the recorded image is refused: %v", got)
	}
	if got := controls(AdmitImage(testImage(), good)); !slices.Equal(got, []confine.Control{confine.ImageImmutable}) {
		t.Errorf("another image: %v", got)
	}
	for _, bad := range []string{"", "{}", "null", "[]", `{"Config":null}`, string(good[:len(good)/2])} {
		if AdmitImage(testImage(), []byte(bad)) == nil {
			t.Errorf("an account that starts %.10q is admitted", bad)
		}
	}
}

// Every control that a profile can weaken has a place in the account.
func TestExpectationsCoverTheControls(t *testing.T) {
	table := expectations()
	for _, c := range confine.Controls() {
		if c.ID == confine.NetworksNone {
			continue // it owns the networks that nothing expects
		}
		if c.Field != "" && !slices.ContainsFunc(table, func(e expectation) bool { return e.control == c.ID }) {
			t.Errorf("nothing in the account belongs to %s", c.ID)
		}
	}
}

func BenchmarkAdmit(b *testing.B) {
	raw := recorded(b, "started.json")
	if err := (*jsontext.Value)(&raw).Compact(); err != nil {
		b.Fatal(err)
	}
	want, image := confine.Reference(), testImage()
	b.ReportAllocs()
	for b.Loop() {
		if Admit(want, image, raw) != nil {
			b.Fatal("refused")
		}
	}
}
