// Package samples holds Cedar policy sets of different styles, written for the
// tests: photo sharing by scopes and membership, documents in a cloud by lists,
// dates and enumerated entities, one service for many tenants, roles and tags,
// and hosts by name, address and cost.
package samples

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed */*.cedar */*.cedarschema
var files embed.FS

// Sample is one set.
type Sample struct {
	Name     string
	Policies []byte
	Schema   []byte
}

// All lists the samples.
func All() ([]Sample, error) {
	names := []string{"documents", "hosts", "photos", "tags", "tenants"}
	var out []Sample
	for _, name := range names {
		s := Sample{Name: name}
		list, err := fs.Glob(files, name+"/*.cedar")
		if err != nil {
			return nil, err
		}
		for _, file := range list {
			b, err := files.ReadFile(file)
			if err != nil {
				return nil, err
			}
			s.Policies = append(append(s.Policies, b...), '\n')
		}
		if s.Schema, err = files.ReadFile(path.Join(name, name+".cedarschema")); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
