// Package audit keeps a hash-chained record of decisions in SQLite.
//
// It promises that a row is durable when Append returns, that the rows of all
// sessions in a file form one chain, and that Verify names the first row which
// does not fit. Rows that come in while a commit waits for the disk share the
// next commit; none is released before its own. Durable means that SQLite has
// synced its write-ahead log (synchronous FULL, by fdatasync where the system
// has it): what the disk does then is the disk's. A row has no place for an
// argument or an answer: it holds a commitment, which nobody can open without
// the session's key, and not even guess at.
//
// Two things it does not do. The chain has no key: someone who may write the
// file can compute a whole new one. And rows that were cut off at the end leave
// a chain that holds; only a session without its last row shows, and not even
// that where whole sessions were cut off. Against both, keep a Head outside the
// file: Verify takes it.
package audit

import (
	"crypto/sha256"
	"encoding/binary"
)

// SessionClosed is the code of a session's last row. Its call is the number of
// rows that the session has before it.
const SessionClosed = "session-closed"

// Entry is what a session says of one decision: closed words and names from
// the configuration, never text from an agent, a tool or a policy. Of its
// payload the row holds a commitment alone.
type Entry struct {
	Call     int64  // the gateway's own number of the call, from 1
	Tool     string // catalogue name; empty where the operation names no tool
	Code     string // decision code
	Policy   string // digest of the policy set that was in force
	Revision uint64 // the newest of the operator's overlay that was taken up by then
	Label    string // sensitivity of the session at that moment
	Payload  Payload
}

// Hash links rows: SHA-256 over a row's columns and the hash before it.
type Hash [sha256.Size]byte

// row is one row of the table.
type row struct {
	sequence   int64 // 1 for the first row of the file, without gaps
	time       int64 // nanoseconds since 1970, as the clock of this machine had it
	elapsed    int64 // nanoseconds, by a clock that nobody sets, since the first row of this opening of the file; 0 in that row
	session    string
	call       int64
	tool       string
	code       string
	policy     string
	revision   int64
	label      string
	commitment []byte // 32 bytes, or none where the decision has no payload
	previous   Hash
}

// domain keeps these hashes apart from any other use of SHA-256.
const domain = "postern audit row 2"

// hash covers every column; lengths first, so that no text runs into the next.
func (r row) hash() Hash {
	b := make([]byte, 0, 512)
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	text := func(s string) {
		number(int64(len(s)))
		b = append(b, s...)
	}
	text(domain)
	number(r.sequence)
	number(r.time)
	number(r.elapsed)
	text(r.session)
	number(r.call)
	text(r.tool)
	text(r.code)
	text(r.policy)
	number(r.revision)
	text(r.label)
	number(int64(len(r.commitment)))
	b = append(b, r.commitment...)
	b = append(b, r.previous[:]...)
	return sha256.Sum256(b)
}
