package audit

import (
	"context"
	"crypto/hmac"
	"database/sql"
	"fmt"
)

// Opened lists the rows of a session that commit to a payload.
type Opened struct {
	Rows []int64 // their places, from 1
	Of   int     // rows of the key's session that commit to anything
}

// Open tells which rows of the key's session commit to one of the payloads.
// It looks at what the file says: Verify first.
func (k Key) Open(ctx context.Context, path string, payloads ...Payload) (Opened, error) {
	db, err := openToRead(ctx, path)
	if err != nil {
		return Opened{}, err
	}
	defer db.Close()
	return k.open(ctx, db, payloads)
}

func (k Key) open(ctx context.Context, db *sql.DB, payloads []Payload) (Opened, error) {
	rows, err := db.QueryContext(ctx, `SELECT sequence, call, commitment FROM audit
		WHERE session = ? AND length(commitment) > 0 ORDER BY sequence`, k.Session)
	if err != nil {
		return Opened{}, fmt.Errorf("opening commitments: %w", err)
	}
	defer rows.Close()
	var o Opened
	for rows.Next() {
		var sequence, number int64
		var commitment []byte
		if err := rows.Scan(&sequence, &number, &commitment); err != nil {
			return Opened{}, fmt.Errorf("opening commitments: %w", err)
		}
		o.Of++
		for _, p := range payloads {
			if hmac.Equal(k.secret.commit(number, p), commitment) {
				o.Rows = append(o.Rows, sequence)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return Opened{}, fmt.Errorf("opening commitments: %w", err)
	}
	return o, nil
}
