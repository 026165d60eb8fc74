package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"modernc.org/sqlite" // and the driver "sqlite"
)

// busyTimeout is how long a statement waits for another process's lock: a
// gateway that waits longer is not available.
const busyTimeout = 200 * time.Millisecond

// checkpoint is after how many pages of the write-ahead log SQLite begins it
// anew. Until then each commit makes that file longer, which a disk takes longer
// for than to write the same place again.
const checkpoint = 256

// place says where a log is, as the driver takes it.
type place struct {
	name string
	mode string // of the journal
}

// file is a log on disk.
func file(path string, w Weakness) place {
	return place{source(path, url.Values{"mode": {"rwc"}}, w.synchronous()), "wal"}
}

// memory is a log without a file, in the one connection that has it.
func memory() place {
	u := url.URL{Scheme: "file", Opaque: "audit", RawQuery: parameters(url.Values{"mode": {"memory"}}, "OFF")}
	return place{u.String(), "memory"}
}

// source names a file to the driver.
func source(path string, query url.Values, synchronous string) string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: parameters(query, synchronous)}
	return u.String()
}

func parameters(query url.Values, synchronous string) string {
	query.Set("_txlock", "immediate")
	query["_pragma"] = []string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"synchronous(" + synchronous + ")",
		"trusted_schema(OFF)",
		fmt.Sprintf("wal_autocheckpoint(%d)", checkpoint),
	}
	return query.Encode()
}

// open opens the database. SQLite syncs with fdatasync where there is one, as
// every distribution's does: what it leaves out are the file's times.
func (p place) open() (*sql.DB, error) {
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		return nil, err
	}
	return sql.Open("sqlite", p.name)
}

// journal sets the journal's mode. It comes after the table: the file's first
// page then says whose it is, whatever became of the write-ahead log.
func (p place) journal(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != p.mode {
		return errors.New("the file does not take write-ahead logging")
	}
	return nil
}
