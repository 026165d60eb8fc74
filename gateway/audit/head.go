package audit

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// Head is the end of a chain: a copy that is kept outside the file anchors it.
// The zero value is that of an empty one.
type Head struct {
	Rows int64
	Hash Hash
}

// String is a head as a person copies it: rows, a colon, the hash in
// hexadecimal.
func (h Head) String() string {
	return strconv.FormatInt(h.Rows, 10) + ":" + hex.EncodeToString(h.Hash[:])
}

// MarshalText is String.
func (h Head) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is ParseHead.
func (h *Head) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHead(string(text))
	return err
}

// ParseHead reads what String wrote, and nothing else. The error repeats
// nothing of it.
func ParseHead(text string) (Head, error) {
	malformed := errors.New("a head of an audit log is its number of rows, a colon and 64 hexadecimal digits")
	rows, digits, _ := strings.Cut(text, ":")
	n, err := strconv.ParseInt(rows, 10, 64)
	if err != nil {
		return Head{}, malformed
	}
	hash, err := hex.DecodeString(digits)
	if err != nil || len(hash) != len(Hash{}) {
		return Head{}, malformed
	}
	h := Head{Rows: n, Hash: Hash(hash)}
	if h.String() != text || n < 0 || n == 0 && h != (Head{}) {
		return Head{}, malformed
	}
	return h, nil
}
