package confine

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill gives every field of a struct a value that is not zero, down to the
// elements of lists and maps.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 4))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("filled")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(7)
	default:
		panic("a kind of field that fill does not know: " + v.Kind().String())
	}
}

// overwrite changes every element of every list and map in place.
func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			overwrite(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Struct {
				v.Index(i).Field(0).SetString("overwritten")
				continue
			}
			v.Index(i).SetString("overwritten")
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			v.SetMapIndex(k, reflect.ValueOf("overwritten"))
		}
	}
}

func TestCloneIsDeep(t *testing.T) {
	var original, untouched Profile
	fill(reflect.ValueOf(&original).Elem())
	fill(reflect.ValueOf(&untouched).Elem())
	clone := original.Clone()
	if diff := cmp.Diff(original, clone); diff != "" {
		t.Errorf("the clone is another profile:\n%s", diff)
	}
	overwrite(reflect.ValueOf(&clone).Elem())
	if cmp.Equal(original, clone) {
		t.Fatal("nothing was overwritten")
	}
	if diff := cmp.Diff(untouched, original); diff != "" {
		t.Errorf("the original changed with its clone:\n%s", diff)
	}
}

func TestReferenceHasNoWeakness(t *testing.T) {
	if got := Weaknesses(Reference()); got != nil {
		t.Errorf("the reference is weak in %v", got)
	}
	p := Reference()
	p.User, p.Pids, p.Memory = "10002:7", 1, 1<<20
	if got := Weaknesses(p); got != nil {
		t.Errorf("a stricter profile is weak in %v", got)
	}
}

// Every field belongs to one control, and gives up that one alone.
func TestEveryFieldIsAControl(t *testing.T) {
	byField := map[string]Control{}
	for _, c := range Controls() {
		if c.Field == "" || strings.HasPrefix(c.Field, "Deny.") {
			continue
		}
		if was, twice := byField[c.Field]; twice {
			t.Errorf("field %s belongs to %s and %s", c.Field, was, c.ID)
		}
		byField[c.Field] = c.ID
	}
	for f := range reflect.TypeFor[Profile]().Fields() {
		if f.Name == "Tier" || f.Name == "Deny" {
			continue // what a profile is held to, and the hardened tier's alone
		}
		control, ok := byField[f.Name]
		delete(byField, f.Name)
		if !ok {
			t.Errorf("field %s belongs to no control", f.Name)
			continue
		}
		for _, tier := range []Profile{Reference(), Hardened()} {
			for _, p := range weaker(tier, f.Index) {
				if got := Weaknesses(p); !slices.Equal(got, []Control{control}) {
					t.Errorf("another value of %s in tier %q is a weakness of %v, want %s", f.Name, p.Tier, got, control)
				}
			}
		}
	}
	if len(byField) > 0 {
		t.Errorf("controls name fields that do not exist: %v", byField)
	}
}

// weaker are a tier's profiles with another value in one field: a zero one
// where the tier has something, and a filled one.
func weaker(tier Profile, field []int) []Profile {
	var out []Profile
	was := reflect.ValueOf(tier).FieldByIndex(field)
	zero := tier.Clone()
	reflect.ValueOf(&zero).Elem().FieldByIndex(field).SetZero()
	filled := tier.Clone()
	v := reflect.ValueOf(&filled).Elem().FieldByIndex(field)
	if fill(v); v.Kind() == reflect.Int64 {
		v.SetInt(1 << 40) // fewer would be stricter
	}
	for _, p := range []Profile{zero, filled} {
		if !reflect.DeepEqual(was.Interface(), reflect.ValueOf(p).FieldByIndex(field).Interface()) {
			out = append(out, p)
		}
	}
	return out
}

func TestZeroProfileIsRefused(t *testing.T) {
	got := Weaknesses(Profile{})
	for _, c := range []Control{NetworkNone, RootReadonly, CapabilitiesDropped, NoNewPrivileges, UserNonroot, LogNone, PidsLimit, MemoryLimit, IPCPrivate, PathsMasked} {
		if !slices.Contains(got, c) {
			t.Errorf("the zero profile keeps %s", c)
		}
	}
}

func TestControlsAreWellFormed(t *testing.T) {
	id := regexp.MustCompile(`^(profile|host)(\.[a-z]+(-[a-z]+)*)$`)
	seen := map[Control]bool{}
	for _, c := range Controls() {
		if !id.MatchString(string(c.ID)) || c.Title == "" || seen[c.ID] {
			t.Errorf("%q (%q) is malformed or given twice", c.ID, c.Title)
		}
		if !slices.Contains(Groups(), c.Group) {
			t.Errorf("%s is in group %q, which is none of the closed words", c.ID, c.Group)
		}
		seen[c.ID] = true
	}
}

func TestNumericUser(t *testing.T) {
	if uid, gid, err := NumericUser("10001:20002"); uid != 10001 || gid != 20002 || err != nil {
		t.Errorf("10001:20002 is %d, %d, %v", uid, gid, err)
	}
	for _, bad := range []string{
		"", ":", "1", "1:", ":1", "0:1", "1:0", "root:1", "1:1:1", "01:1", "+1:1", "-1:1", " 1:1", "1:1 ",
		"4294967295:1", "4294967296:1", "2147483648:1", "1:4294967295",
	} {
		if _, _, err := NumericUser(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestRefuseAndMerge(t *testing.T) {
	a := Refuse(StageCreated, []Control{UserNonroot, BindsNone, UserNonroot})
	want := []Refusal{{BindsNone, StageCreated}, {UserNonroot, StageCreated}}
	if !slices.Equal(a, want) {
		t.Errorf("refused %v, want %v", a, want)
	}
	if got := Refuse(StageCreated, nil); got != nil {
		t.Errorf("no weakness gives %v", got)
	}
	b := Refuse(StageStarted, []Control{BindsNone})
	want = []Refusal{{BindsNone, StageCreated}, {BindsNone, StageStarted}, {UserNonroot, StageCreated}}
	if got := Merge(a, b, a); !slices.Equal(got, want) {
		t.Errorf("merged %v, want %v", got, want)
	}
	if got := Merge(nil, nil); len(got) != 0 {
		t.Errorf("nothing merged gives %v", got)
	}
}
