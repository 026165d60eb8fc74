package reports

import (
	"bytes"
	"regexp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// otherVersion finds files that say, in their first field, that they are of
// another version of the format.
func otherVersion(files map[string][]byte) []Problem {
	var problems []Problem
	for _, name := range []string{evidenceFile, manifestFile} {
		if v := version(files[name]); v > 0 && v != SchemaVersion {
			problems = append(problems, Problem{Code: OtherVersion, File: name, At: maker(files[name])})
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

// The closed forms of what the schema says of a generator, in every version.
var (
	versionForm = regexp.MustCompile(`^(dev|v?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(-(alpha|beta|rc)\.[0-9]{1,3})?)$`)
	commitForm  = regexp.MustCompile(`^([0-9a-f]{40}|unknown)$`)
)

// maker is the version of Postern that wrote evidence of another format, or ""
// where it says nothing of the kind, as a manifest does not.
func maker(data []byte) string {
	var e struct {
		Generator struct {
			Version  string `json:"version"`
			Commit   string `json:"commit"`
			Modified bool   `json:"modified"`
		} `json:"generator"`
	}
	if json.Unmarshal(data, &e) != nil || !versionForm.MatchString(e.Generator.Version) || !commitForm.MatchString(e.Generator.Commit) {
		return ""
	}
	return Generator{Version: e.Generator.Version, Commit: e.Generator.Commit, Modified: e.Generator.Modified}.String()
}
