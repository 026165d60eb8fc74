// Package policy decides with Cedar whether the agent may call a tool.
//
// It promises default deny, and that a decision rests on every policy: a
// request that does not fit the schema is denied before evaluation, and any
// evaluation error denies, because Cedar itself skips a forbid that fails.
// A policy that does not validate against the schema is never compiled. A
// decision carries closed words and policy ids, never a text of Cedar's:
// those quote attribute names and values.
//
// It knows nothing of ceilings, and cannot say whether a policy is wise.
package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Source is a policy set as its author wrote it, in the Cedar language.
type Source struct {
	Policies []byte
	Schema   []byte
}

// Clone copies a source deeply.
func (s Source) Clone() Source {
	return Source{Policies: bytes.Clone(s.Policies), Schema: bytes.Clone(s.Schema)}
}

// Digest is the SHA-256, in hexadecimal digits, of what the source means: of
// schema and policies as Cedar prints them, so that neither layout nor
// comments count. Sources that do not parse have none.
func (s Source) Digest() (string, error) {
	parsed, err := s.parse()
	if err != nil {
		return "", err
	}
	return parsed.digest()
}

func (p parsed) digest() (string, error) {
	schema, err := p.schema.MarshalCedar()
	if err != nil {
		return "", errSchema
	}
	h := sha256.New()
	write(h, schema)
	for _, policy := range p.policies {
		write(h, policy.MarshalCedar())
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// write puts the length first, so that no two lists of texts run into one.
func write(h hash.Hash, text []byte) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
	h.Write(text)
}
