// Package audit keeps a hash-chained record of decisions in SQLite.
//
// It promises that a row is durable when Append returns, that rows form one
// chain over all sessions in the file, and that Verify names the first row
// which does not fit. A row has no place for an argument or an answer.
//
// Two things it does not do. The chain has no key: someone who may write the
// file can compute a whole new one. And rows cut off at the end leave a chain
// that holds. Against both, keep a Head outside the file and use VerifyHead.
package audit

import (
	"crypto/sha256"
	"encoding/binary"
)

// Entry is what the caller says of one decision: closed words and names from
// the configuration, never text from an agent, a tool or a policy.
type Entry struct {
	Session string // id of the gateway session
	Call    int64  // the gateway's own number of the call, from 1
	Tool    string // catalogue name; empty where the operation names no tool
	Code    string // decision code
	Policy  string // digest of the policy set that was in force
	Label   string // sensitivity of the session at that moment
}

// Hash links rows: SHA-256 over a row's columns and the hash before it.
type Hash [sha256.Size]byte

// Head is the end of a chain. The zero value is that of an empty one.
type Head struct {
	Rows int64
	Hash Hash
}

// row is one row of the table.
type row struct {
	Entry
	sequence int64 // 1 for the first row of the file, without gaps
	time     int64 // nanoseconds since 1970, as the clock of this machine had it
	previous Hash
}

// domain keeps these hashes apart from any other use of SHA-256.
const domain = "postern audit row 1"

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
	text(r.Session)
	number(r.Call)
	text(r.Tool)
	text(r.Code)
	text(r.Policy)
	text(r.Label)
	b = append(b, r.previous[:]...)
	return sha256.Sum256(b)
}
