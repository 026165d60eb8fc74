package audit

import (
	"context"
	"crypto/sha256"
)

// Weakness takes promises of the log away, for mutants: each is what some audit
// log does. The zero value is strict.
type Weakness struct {
	PlainHash  bool // a commitment is SHA-256 of the payload, without a key
	Guessable  bool // the key of a session's commitments is made of its id, which stands in every row
	Unnumbered bool // a commitment says nothing of the call, so that equal payloads look equal
	Stored     bool // the payload itself stands where its commitment should
	Early      bool // Append returns before the row is durable
	NoSync     bool // the disk is not waited for
	Unchained  bool // a row does not name the hash before it
	Unclosed   bool // a session has no last row
}

// OpenWeakLog is Open with some promises taken away. Nothing of the gateway calls
// it: it is for the harness, and a test keeps it there.
func OpenWeakLog(ctx context.Context, path string, w Weakness) (*Log, error) {
	return openLog(ctx, file(path, w), w)
}

// secret is a new session's, or one that anybody can make.
func (w Weakness) secret(session string) secret {
	if w.Guessable {
		return sha256.Sum256([]byte(session))
	}
	return newSecret()
}

// commit is secret.commit, or what is weaker.
func (w Weakness) commit(s secret, number int64, p Payload) []byte {
	switch {
	case w.Unnumbered:
		number = 0
	case p.kind != none && w.Stored:
		return p.bytes
	case p.kind != none && w.PlainHash:
		sum := sha256.Sum256(append(prefix(number, p), p.bytes...))
		return sum[:]
	}
	return s.commit(number, p)
}

// synchronous is SQLite's word for what a commit waits for. FULL makes every
// commit in WAL mode wait until the disk has it.
func (w Weakness) synchronous() string {
	if w.NoSync {
		return "OFF"
	}
	return "FULL"
}
