package reports

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encode writes a value in the one canonical form: the fields in their order,
// two spaces a level, one newline at the end, an absent list as [].
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v, jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return append(data, '\n'), nil
}

// decode reads one value of the format strictly: unknown and duplicate keys,
// keys in another case, invalid UTF-8, bytes after the value, and any spelling
// but the canonical one are refused. What encode would write is then exactly
// what was read: no second spelling of a value can carry anything.
func decode[T any](file string, data []byte) (T, []Problem) {
	var value, zero T
	d := jsontext.NewDecoder(bytes.NewReader(data))
	if err := json.UnmarshalDecode(d, &value, json.RejectUnknownMembers(true)); err != nil {
		return zero, []Problem{decodeProblem(file, err)}
	}
	rest := bytes.TrimSpace(data[d.InputOffset():])
	if len(rest) != 0 {
		return zero, []Problem{{Code: TrailingBytes, File: file, At: atByte(d.InputOffset())}}
	}
	canonical, err := encode(value)
	if err != nil || !bytes.Equal(canonical, data) {
		return zero, []Problem{{Code: NotCanonical, File: file, At: atByte(firstDifference(canonical, data))}}
	}
	return value, nil
}

// decodeProblem keeps the kind and the place of an error and drops its text,
// which quotes what was read.
func decodeProblem(file string, err error) Problem {
	p := Problem{Code: NotJSON, File: file}
	if syntactic := (*jsontext.SyntacticError)(nil); errors.As(err, &syntactic) {
		p.At = atByte(syntactic.ByteOffset)
	}
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		p.Code, p.At = WrongType, atByte(semantic.ByteOffset)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		p.Code = DuplicateKey
	case errors.Is(err, json.ErrUnknownName):
		p.Code = UnknownField
	}
	return p
}

func firstDifference(a, b []byte) int64 {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return int64(i)
		}
	}
	return int64(n)
}
