package reports

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// otherVersion finds files that say, in their first field, that they are of
// another version of the format.
func otherVersion(files map[string][]byte) []Problem {
	var problems []Problem
	for _, name := range []string{evidenceFile, manifestFile} {
		if v := version(files[name]); v > 0 && v != SchemaVersion {
			problems = append(problems, Problem{Code: OtherVersion, File: name})
		}
	}
	return problems
}

// version is the version that a file of the format begins with, or 0 for a
// file of none. Every version has that field, and has it first.
func version(data []byte) int64 {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for _, want := range []string{"{", "schema"} {
		if token, err := d.ReadToken(); err != nil || token.String() != want {
			return 0
		}
	}
	token, err := d.ReadToken()
	if err != nil || token.Kind() != '0' || len(token.String()) > 3 {
		return 0
	}
	v, err := token.Int()
	if err != nil {
		return 0
	}
	return v
}
