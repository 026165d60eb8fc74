package frame

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	keyOperation = "operation"
	keyArguments = "arguments"
)

// decoder holds the parts of one decoding that a Reader keeps for the next.
// Its zero value is ready.
type decoder struct {
	text  bytes.Buffer // the form in which jsontext reads bytes without copying
	json  jsontext.Decoder
	names [][]byte // keys of the open objects within arguments, as spelt
	open  []int    // for each open container within arguments, where its keys start
	weak  Weakness
}

func (d *decoder) decode(line []byte, l Limits) (Call, error) {
	if len(line) > l.Bytes {
		return Call{}, refuse(Oversized)
	}
	if d.weak != (Weakness{}) {
		line = d.weak.repair(line)
	}
	if err := scan(line, l.Depth, d.weak); err != nil {
		return Call{}, err
	}
	d.text = *bytes.NewBuffer(line)
	d.json.Reset(&d.text, d.weak.options()...) // strict by default: no duplicate name, no invalid UTF-8
	if err := d.begin(); err != nil {
		return Call{}, err
	}
	c, err := d.members(line)
	switch {
	case err != nil:
		return Call{}, err
	case d.json.InputOffset() != int64(len(line)) && !d.weak.TrailingBytes:
		return Call{}, refuse(TrailingBytes)
	case c.Operation == "" || c.Arguments == nil: // neither can be sent empty
		return Call{}, refuse(MissingKey)
	}
	return c, nil
}

// members reads the keys and values of the frame and its closing brace.
func (d *decoder) members(line []byte) (c Call, err error) {
	for d.json.PeekKind() != jsontext.KindEndObject {
		key, err := d.key()
		if err != nil {
			return Call{}, err
		}
		switch d.weak.known(key) {
		case keyOperation:
			c.Operation, err = d.operation()
		case keyArguments:
			c.Arguments, err = d.arguments(line)
		default:
			err = d.strange(key)
		}
		if err != nil {
			return Call{}, err
		}
	}
	_, err = d.json.ReadToken()
	return c, syntax(err)
}

// begin enters the one object that a frame is.
func (d *decoder) begin() error {
	kind := d.json.PeekKind()
	if kind == jsontext.KindBeginObject {
		_, err := d.json.ReadToken()
		return syntax(err)
	}
	if err := d.json.SkipValue(); err != nil {
		return syntax(err)
	}
	if kind == jsontext.KindBeginArray {
		return refuse(Batch)
	}
	return refuse(NotObject)
}

func (d *decoder) key() (string, error) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return "", syntax(err)
	}
	switch string(raw) { // the usual spellings, without an allocation
	case `"operation"`:
		return keyOperation, nil
	case `"arguments"`:
		return keyArguments, nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), syntax(err)
}

// strange refuses a key that is not the frame's.
func (d *decoder) strange(key string) error {
	switch {
	case strings.EqualFold(key, keyOperation) || strings.EqualFold(key, keyArguments):
		return refuse(CaseVariant)
	case d.weak.UnknownKeys:
		return syntax(d.json.SkipValue())
	}
	return refuse(UnknownKey)
}

func (d *decoder) operation() (string, error) {
	if k := d.json.PeekKind(); k != jsontext.KindString && k != jsontext.KindInvalid {
		return "", refuse(OperationType)
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return "", syntax(err)
	}
	var room [maxOperation]byte
	text, err := jsontext.AppendUnquote(room[:0], raw)
	if err != nil {
		return "", syntax(err)
	}
	if len(text) < 1 || len(text) > maxOperation {
		return "", refuse(OperationLength)
	}
	return string(text), nil
}

// syntax turns an error of the parser, which may quote the frame, into a word.
func syntax(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsontext.ErrDuplicateName):
		return refuse(DuplicateKey)
	}
	return refuse(NotJSON)
}
