package gateway

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/sensitivity"
)

// fill gives every field, however deep, a value that is not its zero value,
// so that a field added later is part of the tests below by itself.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i)) // panics on an unexported field: a subject has none
		}
	default:
		panic(fmt.Sprintf("a %s cannot be part of a subject: it has no deep copy", v.Kind()))
	}
}

// shared names what two equal values have in common in memory.
func shared(path string, a, b reflect.Value) []string {
	switch a.Kind() {
	case reflect.Slice:
		if a.Len() == 0 {
			return []string{path + " is empty"}
		}
		if a.Pointer() == b.Pointer() {
			return []string{path}
		}
		return shared(path+"[]", a.Index(0), b.Index(0))
	case reflect.Map:
		if a.Len() == 0 {
			return []string{path + " is empty"}
		}
		if a.Pointer() == b.Pointer() {
			return []string{path}
		}
		key := a.MapKeys()[0]
		return shared(path+"{}", a.MapIndex(key), b.MapIndex(key))
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() {
			return []string{path}
		}
		return shared(path, a.Elem(), b.Elem())
	case reflect.Struct:
		var out []string
		for i := range a.NumField() {
			out = append(out, shared(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
		}
		return out
	}
	return nil
}

func TestACloneIsEqualAndSharesNothing(t *testing.T) {
	var original Config
	fill(reflect.ValueOf(&original).Elem())
	clone := original.Clone()
	if diff := cmp.Diff(original, clone); diff != "" {
		t.Error(diff)
	}
	for _, path := range shared("Config", reflect.ValueOf(original), reflect.ValueOf(clone)) {
		t.Errorf("%s is shared", path)
	}
}

func TestTheLastOfASliceIsCloned(t *testing.T) {
	var original Config
	fill(reflect.ValueOf(&original).Elem())
	clone := original.Clone()
	clone.Catalogue[1].Arguments[1] = "other"
	if original.Catalogue[1].Arguments[1] == "other" {
		t.Error("only the first tool is cloned")
	}
}

// The check above must see a share where there is one.
func TestSharingIsSeen(t *testing.T) {
	var original Config
	fill(reflect.ValueOf(&original).Elem())
	shallow := original
	got := shared("Config", reflect.ValueOf(original), reflect.ValueOf(shallow))
	for _, want := range []string{"Config.Aliases", "Config.Catalogue", "Config.Ceilings", "Config.Policy.Schema", "Config.Upstream.Env", "Config.Profile.CapDrop"} {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("%s is shared and not seen", want)
		}
	}
}

func TestTheZeroConfigClones(t *testing.T) {
	if diff := cmp.Diff(Config{}, Config{}.Clone()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeDecidedOnIsNoConfig(t *testing.T) {
	valid := func() Config {
		return Config{
			Aliases:   map[string]string{"deliver": "store"},
			Catalogue: []Tool{{Name: "store", Arguments: []string{"a", "b"}, Response: "low"}},
			Lattice:   sensitivity.Lattice{"low", "high"},
		}
	}
	if err := valid().validate(Weakness{}); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Config){
		"no lattice":               func(c *Config) { c.Lattice = nil },
		"a level twice":            func(c *Config) { c.Lattice = append(c.Lattice, "low") },
		"a tool twice":             func(c *Config) { c.Catalogue = append(c.Catalogue, c.Catalogue[0]) },
		"a tool without a name":    func(c *Config) { c.Catalogue[0].Name = "" },
		"a tool with a long name":  func(c *Config) { c.Catalogue[0].Name = strings.Repeat("a", 65) },
		"a tool with two lines":    func(c *Config) { c.Catalogue[0].Name = "store\n" },
		"an unknown response":      func(c *Config) { c.Catalogue[0].Response = "top" },
		"no response label":        func(c *Config) { c.Catalogue[0].Response = "" },
		"an argument twice":        func(c *Config) { c.Catalogue[0].Arguments = []string{"a", "b", "a"} },
		"an alias of nothing":      func(c *Config) { c.Aliases["other"] = "" },
		"an alias of another tool": func(c *Config) { c.Aliases["other"] = "post" },
	} {
		c := valid()
		spoil(&c)
		if c.validate(Weakness{}) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
