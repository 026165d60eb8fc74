package frame

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// arguments reads the object of arguments to its leaves and returns a copy of it.
func (d *decoder) arguments(line []byte) (jsontext.Value, error) {
	if k := d.json.PeekKind(); k != jsontext.KindBeginObject && k != jsontext.KindInvalid {
		return nil, refuse(ArgumentsType)
	}
	d.names, d.open = d.names[:0], d.open[:0]
	start := int64(-1)
	for {
		if err := d.step(); err != nil {
			return nil, err
		}
		if start < 0 {
			start = d.json.InputOffset() - 1 // of the brace just read
		}
		if len(d.open) == 0 {
			return bytes.Clone(line[start:d.json.InputOffset()]), nil
		}
	}
}

// step reads one delimiter, key or leaf. The stack is ours, not the goroutine's.
func (d *decoder) step() error {
	kind := d.json.PeekKind()
	switch kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		d.open = append(d.open, len(d.names))
		_, err := d.json.ReadToken()
		return syntax(err)
	case jsontext.KindEndObject, jsontext.KindEndArray:
		if _, err := d.json.ReadToken(); err != nil {
			return syntax(err)
		}
		return d.leave()
	}
	holder, n := d.json.StackIndex(d.json.StackDepth())
	raw, err := d.json.ReadValue()
	switch {
	case err != nil:
		return syntax(err)
	case kind == jsontext.KindNumber && !numberInRange(raw) && !d.weak.AnyNumber:
		return refuse(NumberRange)
	case holder == jsontext.KindBeginObject && n%2 == 0: // names and values alternate
		d.names = append(d.names, raw)
	}
	return nil
}

// leave closes the innermost container and compares the keys it had.
func (d *decoder) leave() error {
	last := len(d.open) - 1
	start := d.open[last]
	names := d.names[start:]
	d.open, d.names = d.open[:last], d.names[:start]
	if len(names) > 1 && !d.weak.CaseVariants && caseVariants(names) {
		return refuse(CaseVariant)
	}
	return nil
}
