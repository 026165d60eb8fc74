package reports

import (
	"errors"
	"strconv"
)

// Code is a fixed phrase that says what is wrong with a bundle.
type Code string

// The codes.
const (
	NotADirectory    Code = "the bundle is not a directory"
	LinkedDirectory  Code = "the bundle is a symbolic link"
	TooManyFiles     Code = "too many files"
	UnknownFile      Code = "unknown file"
	MissingFile      Code = "missing file"
	NotRegular       Code = "not a regular file"
	TooLarge         Code = "larger than 64 MiB"
	DigestMismatch   Code = "digest differs from SHA256SUMS"
	SumsFormat       Code = "not the expected list of digests"
	NotJSON          Code = "not JSON"
	OtherVersion     Code = "of another version of the format: use the Postern that wrote it"
	DuplicateKey     Code = "duplicate key"
	UnknownField     Code = "unknown field"
	WrongType        Code = "wrong type"
	TrailingBytes    Code = "bytes after the value"
	NotCanonical     Code = "not in canonical form"
	OutsideSchema    Code = "outside the schema"
	CanaryShape      Code = "shaped like a canary"
	ManifestMismatch Code = "manifest digest differs"
	SeedMismatch     Code = "seed differs from the manifest"
	RepeatedEntry    Code = "repeated entry"
	UnlistedChannel  Code = "channel that the evidence does not list"
	UnlistedControl  Code = "control that the evidence does not list"
	UnplannedTrial   Code = "trial that the manifest does not plan"
	PlanMismatch     Code = "trial differs from its plan"
	OutOfOrder       Code = "trial out of the order of the manifest"
	UnrunTrial       Code = "planned trial without a result"
	CountMismatch    Code = "count differs from the trials"
	ViewMismatch     Code = "differs from the evidence"
	MoreProblems     Code = "further problems left out"
)

// problemsListed is how many problems are said one by one.
const problemsListed = 100

// Problem is one reason to refuse a bundle. It never holds anything that the
// bundle says: File is one of the names of this package, At is an index, a
// byte offset, or a JSON pointer made of the format's own names; of another
// version it is who wrote it, in the closed form that the schema has for that.
type Problem struct {
	Code Code
	File string
	At   string
}

// Error says the problem in one line.
func (p Problem) Error() string {
	text := string(p.Code)
	if p.File != "" {
		text = p.File + ": " + text
	}
	switch {
	case p.At == "":
	case p.Code == OtherVersion:
		text += ": " + p.At
	default:
		text += " at " + p.At
	}
	return text
}

func atByte(offset int64) string { return "byte " + strconv.FormatInt(offset, 10) }

func atIndex(i int) string { return "index " + strconv.Itoa(i) }

// pointer joins a JSON pointer of the format's own names and indices.
func pointer(parts ...any) string {
	text := ""
	for _, part := range parts {
		switch part := part.(type) {
		case int:
			text += "/" + strconv.Itoa(part)
		case string:
			text += "/" + part
		}
	}
	return text
}

// capped keeps a list of problems short enough to read.
func capped(problems []Problem) []Problem {
	if len(problems) <= problemsListed {
		return problems
	}
	return append(problems[:problemsListed:problemsListed], Problem{Code: MoreProblems})
}

// asError joins problems into one error, nil where there are none.
func asError(problems []Problem) error {
	var errs []error
	for _, p := range problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}
