package docker

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"postern/gateway/confine"
)

// leaves lists the paths of everything that a create request can say. Lists
// and maps are looked through: their elements have no name.
func leaves(t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return leaves(t.Elem(), path)
	case reflect.Struct:
		if t.NumField() == 0 {
			return []string{path}
		}
	default:
		return []string{path}
	}
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "":
			out = append(out, leaves(f.Type, path)...)
		case name == "":
			out = append(out, leaves(f.Type, strings.TrimPrefix(path+"."+f.Name, "."))...)
		default:
			out = append(out, leaves(f.Type, strings.TrimPrefix(path+"."+name, "."))...)
		}
	}
	return out
}

// Nothing that can be asked of the Engine belongs to nobody.
func TestEveryFieldIsClassified(t *testing.T) {
	rows := map[string]Field{}
	for _, f := range Fields() {
		if _, twice := rows[f.Path]; twice {
			t.Errorf("%s stands in fields.go twice: keep one row", f.Path)
		}
		rows[f.Path] = f
	}
	for _, path := range leaves(reflect.TypeFor[request](), "") {
		if _, ok := rows[path]; !ok {
			t.Errorf("%s is a field of the client's that nobody classified: give it a row in fields.go (a control, or why it cannot weaken)", path)
		}
		delete(rows, path)
	}
	for path := range rows {
		t.Errorf("%s stands in fields.go and the client has no such field any more: take the row out", path)
	}
}

func TestFieldsNameAControlOrAReason(t *testing.T) {
	table := expectations()
	for _, f := range Fields() {
		known := slices.ContainsFunc(confine.Controls(), func(c confine.ControlInfo) bool { return c.ID == f.Control })
		if known == (f.Why != "") {
			t.Errorf("%s: want a control or a reason, one of them", f.Path)
		}
		if known && !slices.ContainsFunc(table, func(e expectation) bool { return e.control == f.Control }) {
			t.Errorf("%s belongs to %s, which nothing in an account belongs to", f.Path, f.Control)
		}
	}
}
