package reports

import "testing"

func TestAProblemInOneLine(t *testing.T) {
	for _, c := range []struct {
		problem Problem
		want    string
	}{
		{Problem{Code: TooManyFiles}, "too many files"},
		{Problem{Code: UnknownFile, At: atIndex(3)}, "unknown file at index 3"},
		{Problem{Code: DigestMismatch, File: junitFile}, "junit.xml: digest differs from SHA256SUMS"},
		{Problem{DuplicateKey, evidenceFile, atByte(18)}, "evidence.json: duplicate key at byte 18"},
		{Problem{CountMismatch, evidenceFile, pointer("controls", 2, "killed")}, "evidence.json: count differs from the trials at /controls/2/killed"},
	} {
		if got := c.problem.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
