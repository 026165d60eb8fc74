package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"

	"github.com/go-json-experiment/json/jsontext"
)

// Payload is what a decision was about. It never goes into a row. The zero
// value is that of a decision without one.
type Payload struct {
	kind  kind
	bytes []byte
}

// kind keeps a call from passing for an answer of the same bytes.
type kind byte

const (
	none kind = iota
	call
	answer
)

// Call is the payload of a decision about a call, as the agent made it. How it
// spelt the JSON does not count: RFC 8785 gives one spelling to all.
func Call(operation string, arguments jsontext.Value) Payload {
	canonical := arguments.Clone()
	if canonical.Canonicalize() != nil {
		canonical = arguments // not from the frame decoder
	}
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(operation)+len(canonical)), uint64(len(operation)))
	b = append(append(b, operation...), canonical...)
	return Payload{call, b}
}

// Answer is the payload of a decision about a tool's answer: its very bytes.
func Answer(text string) Payload { return Payload{answer, []byte(text)} }

// secret is what commitments of one session are made with. Whoever has it can
// open them, by showing the payload, or by trying payloads until one fits.
// Without it a commitment is noise, however few payloads are possible.
type secret [32]byte

func newSecret() (s secret) {
	rand.Read(s[:]) // never fails
	return s
}

// commitmentDomain keeps these from any other use of HMAC-SHA-256.
const commitmentDomain = "postern audit commitment 1"

// commit is HMAC-SHA-256 over the payload, its kind and the number of the
// call: the same payload in two calls does not look the same.
func (s secret) commit(number int64, p Payload) []byte {
	if p.kind == none {
		return nil
	}
	mac := hmac.New(sha256.New, s[:])
	mac.Write(prefix(number, p))
	mac.Write(p.bytes)
	return mac.Sum(nil)
}

func prefix(number int64, p Payload) []byte {
	b := append(make([]byte, 0, 64), commitmentDomain...)
	b = append(b, byte(p.kind))
	return binary.BigEndian.AppendUint64(b, uint64(number))
}
