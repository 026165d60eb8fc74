package observers

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"os"

	"postern/observers/canary"
)

// AuditRows is what the rows of a closed audit log come to, counted without the
// gateway's code: numbers alone.
type AuditRows struct {
	Rows     int
	Unlinked int // that do not name the hash of the row before
	Unended  int // sessions whose last row does not say that they were closed
	Alike    int // whose commitment stands in a row before as well

	sessions []string
}

// ReadAudit reads the rows of a log. One that cannot be read is an error.
func ReadAudit(ctx context.Context, path string) (out AuditRows, err error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "mode=ro"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return out, fmt.Errorf("reading an audit log: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT session, code, commitment, previous, hash FROM audit ORDER BY sequence`)
	if err != nil {
		return out, fmt.Errorf("reading an audit log: %w", err)
	}
	defer rows.Close()
	before := make([]byte, sha256.Size)
	seen, ended := map[string]bool{}, map[string]bool{}
	for rows.Next() {
		var session, code string
		var commitment, previous, hash []byte
		if err := rows.Scan(&session, &code, &commitment, &previous, &hash); err != nil {
			return out, errors.New("reading an audit log: a row has another form")
		}
		out.Rows++
		if !bytes.Equal(previous, before) {
			out.Unlinked++
		}
		if len(commitment) > 0 && seen[string(commitment)] {
			out.Alike++
		}
		seen[string(commitment)], ended[session], before = true, code == "session-closed", hash
	}
	for session, closed := range ended {
		out.sessions = append(out.sessions, session)
		if !closed {
			out.Unended++
		}
	}
	if err := rows.Err(); err != nil {
		return out, fmt.Errorf("reading an audit log: %w", err)
	}
	return out, nil
}

// decoys is how many payloads that were not sent stand in a dictionary.
const decoys = 32

// Guess is the dictionary attack on a closed log by somebody who has its file,
// knows how everything in it is made, and has no key: which of a few calls of an
// operation with one argument, "text", was made? It counts those that open. A
// decoy that opens is an error: the attack could not tell calls apart.
func (r AuditRows) Guess(path, operation string, sent canary.Canary) (int, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("attacking an audit log: %w", withoutPath(err))
	}
	opens := func(text string) bool {
		for _, digest := range r.digests(operation, text) {
			if bytes.Contains(file, digest) {
				return true
			}
		}
		return false
	}
	for range decoys {
		if opens(rand.Text()) {
			return 0, errors.New("attacking an audit log: a call opens that was not made")
		}
	}
	if opens(sent.Reveal()) {
		return 1, nil
	}
	return 0, nil
}

// digests are what a log may hold of a call that was not made with a secret key,
// by the format that package audit documents. They are written out here: what
// is under test must not say what is looked for.
func (r AuditRows) digests(operation, text string) (all [][]byte) {
	arguments := []byte(`{"text":"` + text + `"}`)
	payload := binary.BigEndian.AppendUint64(nil, uint64(len(operation)))
	payload = append(append(payload, operation...), arguments...)
	plain := [][]byte{[]byte(text), arguments, payload}
	keys := [][]byte{nil, make([]byte, 32)}
	for _, session := range r.sessions {
		sum := sha256.Sum256([]byte(session))
		keys = append(keys, []byte(session), sum[:])
	}
	for number := range uint64(r.Rows + 1) {
		named := binary.BigEndian.AppendUint64([]byte("postern audit commitment 1\x01"), number)
		plain = append(plain, append(named, payload...))
	}
	for _, p := range plain {
		sum := sha256.Sum256(p)
		all = append(all, sum[:])
		for _, key := range keys {
			mac := hmac.New(sha256.New, key)
			mac.Write(p)
			all = append(all, mac.Sum(nil))
		}
	}
	return all
}
