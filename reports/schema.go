package reports

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed evidence.schema.json
var evidenceSchema []byte

//go:embed manifest.schema.json
var manifestSchema []byte

// The identities of the schemas, as their $id says.
const (
	evidenceURN = "urn:postern:evidence:3"
	manifestURN = "urn:postern:manifest:3"
)

// EvidenceSchema returns the JSON Schema (draft 2020-12) of evidence.json.
func EvidenceSchema() []byte { return bytes.Clone(evidenceSchema) }

// ManifestSchema returns the JSON Schema of manifest.json. It refers to that of
// evidence.json.
func ManifestSchema() []byte { return bytes.Clone(manifestSchema) }

// schemas holds the compiled schemas; it is safe to use by several goroutines.
type schemas struct{ evidence, manifest *jsonschema.Schema }

func compileSchemas() (schemas, error) {
	c := jsonschema.NewCompiler()
	for _, source := range []struct {
		urn  string
		text []byte
	}{{evidenceURN, evidenceSchema}, {manifestURN, manifestSchema}} {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(source.text))
		if err != nil {
			return schemas{}, fmt.Errorf("reading the schema %s: %w", source.urn, err)
		}
		if err := c.AddResource(source.urn, document); err != nil {
			return schemas{}, fmt.Errorf("adding the schema %s: %w", source.urn, err)
		}
	}
	evidence, err := c.Compile(evidenceURN)
	if err != nil {
		return schemas{}, fmt.Errorf("compiling the schema %s: %w", evidenceURN, err)
	}
	manifest, err := c.Compile(manifestURN)
	if err != nil {
		return schemas{}, fmt.Errorf("compiling the schema %s: %w", manifestURN, err)
	}
	return schemas{evidence, manifest}, nil
}

// validate gives the places where data leaves the schema. data has passed
// decode, so every name on the way to such a place is one of the format's own.
func validate(schema *jsonschema.Schema, file string, data []byte) []Problem {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return []Problem{{Code: NotJSON, File: file}}
	}
	err = schema.Validate(instance)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Problem{{Code: OutsideSchema, File: file}}
	}
	seen := map[string]bool{}
	return leaves(invalid, file, seen, nil)
}

// leaves lists each place once, the deepest errors only, at most as many as
// are ever shown.
func leaves(e *jsonschema.ValidationError, file string, seen map[string]bool, problems []Problem) []Problem {
	if len(problems) > problemsListed {
		return problems
	}
	for _, cause := range e.Causes {
		problems = leaves(cause, file, seen, problems)
	}
	at := ""
	for _, part := range e.InstanceLocation {
		at += "/" + part
	}
	if len(e.Causes) > 0 || seen[at] {
		return problems
	}
	seen[at] = true
	return append(problems, Problem{Code: OutsideSchema, File: file, At: at})
}
