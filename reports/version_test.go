package reports

import (
	"strings"
	"testing"
)

// Who wrote a bundle of another format is said in closed words, or not at all.
func TestAnotherVersionNamesItsMaker(t *testing.T) {
	commit := strings.Repeat("0a", 20)
	for name, c := range map[string]struct{ generator, want string }{
		"a commit":       {`{"name":"postern","version":"v1.2.3","commit":"` + commit + `","modified":false,"more":1}`, ": v1.2.3, commit " + commit},
		"with changes":   {`{"version":"dev","commit":"unknown","modified":true}`, ": dev, commit unknown, with changes"},
		"another word":   {`{"version":"payload","commit":"unknown","modified":true}`, ""},
		"another commit": {`{"version":"dev","commit":"payload","modified":true}`, ""},
		"no generator":   {`"payload"`, ""},
	} {
		problems := otherVersion(map[string][]byte{evidenceFile: []byte(`{"schema":2,"generator":` + c.generator + `}`)})
		want := "evidence.json: of another version of the format: use the Postern that wrote it" + c.want
		if len(problems) != 1 || problems[0].Error() != want {
			t.Errorf("%s: %v, want %s", name, problems, want)
		}
	}
}
