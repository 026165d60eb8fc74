package mutants

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	networks "github.com/docker/docker/api/types/network"

	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
)

// Every field of the create request that can weaken a control has a mutant of
// that control that sets it. A control without any mutant is another test's.
func TestEveryFieldThatCanWeakenHasAMutant(t *testing.T) {
	set := map[confine.Control]map[string]bool{}
	for _, m := range All() {
		changed := changes(t, m)
		for _, c := range m.Controls() {
			if set[c] == nil {
				set[c] = map[string]bool{}
			}
			for _, path := range changed {
				set[c][path] = true
			}
		}
	}
	for _, f := range docker.Fields() {
		if f.Control != "" && set[f.Control] != nil && !set[f.Control][f.Path] {
			t.Errorf("%s can weaken %s, and no mutant of that sets it: add one to profile_request_*.go", f.Path, f.Control)
		}
	}
}

// changes lists the fields that a mutant asks for otherwise than the reference.
func changes(t *testing.T, m Mutant) []string {
	t.Helper()
	subject := policy.Reference()
	subject.Image = "sha256:" + strings.Repeat("f", 64)
	plain := said(t, subject)
	m.Apply(&subject, Sample())
	mutated := said(t, subject)
	var out []string
	for path, text := range mutated {
		if plain[path] != text {
			out = append(out, path)
		}
	}
	for path := range plain {
		if _, there := mutated[path]; !there {
			out = append(out, path)
		}
	}
	return out
}

// said is what a subject's create request says, by the paths of docker.Fields.
func said(t *testing.T, c gateway.Config) map[string]string {
	t.Helper()
	config, host, joined, err := docker.Render(c.Profile, c.Image, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	gather(reflect.ValueOf(struct {
		Config           *container.Config
		HostConfig       *container.HostConfig
		NetworkingConfig *networks.NetworkingConfig
	}{config, host, joined}), "", out)
	return out
}

// gather looks through lists and maps, whose elements have no name. A list that
// is there and empty says something: none, in place of the Engine's own.
func gather(v reflect.Value, path string, out map[string]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			gather(v.Elem(), path, out)
		}
	case reflect.Slice:
		if !v.IsNil() {
			out[path] += "[]"
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			gather(v.Index(i), path, out)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			out[path] += key.String()
			gather(v.MapIndex(key), path, out)
		}
	case reflect.Struct:
		if v.NumField() == 0 {
			out[path] += "{}"
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-" || !f.IsExported():
			case f.Anonymous && name == "":
				gather(v.Field(i), path, out)
			default:
				if name == "" {
					name = f.Name
				}
				gather(v.Field(i), strings.TrimPrefix(path+"."+name, "."), out)
			}
		}
	default:
		out[path] += fmt.Sprint(v)
	}
}

// A mutant of the request weakens the control that its field has in the table.
func TestWhatIsAskedBelongsToAControl(t *testing.T) {
	for _, m := range request() {
		if m.Weakens == "" {
			t.Errorf("%s: its path is none of docker.Fields", m.ID)
		}
		if m.Unless.Fate == "" && m.Unless.Since != "" {
			t.Errorf("%s: says since when, and not what", m.ID)
		}
	}
}
