package observers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite", for pilots

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const maxAudit = 256 << 20 // bytes of audit logs read in one look; what goes beyond is a drop

// AuditFiles reads the files in which gateways keep their audit logs, byte by
// byte: databases, write-ahead logs, and whatever lies beside them. It knows
// nothing of what a log should hold. See ReadAudit for its rows.
//
// Its pilots are texts in databases of the same kind: the one before stands in a
// write-ahead log when it is read, the one after in the database itself.
type AuditFiles struct {
	dir    string
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	open   *sql.DB // holds the pilot before
	looked map[channel.ID]int
}

var _ Observer = (*AuditFiles)(nil)

// NewAuditFiles makes a directory below parent that only this user can enter, for
// logs to be kept in.
func NewAuditFiles(parent string, watch *canary.Watch, pilots Pilots) (*AuditFiles, error) {
	dir, err := os.MkdirTemp(parent, "audit-") // mode 0700
	if err != nil {
		return nil, fmt.Errorf("starting the observer of audit logs: %w", err)
	}
	return &AuditFiles{dir: dir, watch: watch, pilots: pilots, book: newLedger(), looked: map[channel.ID]int{}}, nil
}

// Dir is where the logs belong.
func (o *AuditFiles) Dir() string { return o.dir }

// Sink implements Observer.
func (o *AuditFiles) Sink() channel.Sink { return channel.SinkAuditLog }

// Pilot implements Observer. It is heard when the files are read.
func (o *AuditFiles) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	db, err := keep(ctx, filepath.Join(o.dir, string(phase)), text)
	if err != nil {
		return fmt.Errorf("writing the pilot of audit logs: %w", err)
	}
	if phase == channel.PilotBefore {
		o.open = db // its write-ahead log stays
		return nil
	}
	return db.Close()
}

// keep writes a text into a new database, as a log keeps a row.
func keep(ctx context.Context, path, text string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "_pragma=journal_mode(WAL)"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE TABLE pilot (text BLOB); INSERT INTO pilot VALUES (?)`, []byte(text)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Look reads one log while it is open: its write-ahead log may hold what the
// database no longer does when it is closed.
func (o *AuditFiles) Look(log string) error {
	seen := map[channel.ID]int{}
	for _, end := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(log + end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("looking into an open audit log: %w", withoutPath(err))
		}
		for id, n := range tally(o.watch.Scan(b)) {
			seen[id] += n
		}
	}
	for id, n := range seen {
		o.looked[id] += n
	}
	o.book.found(seen)
	return nil
}

// Collect implements Observer. What was seen in an open log is not counted again.
func (o *AuditFiles) Collect(context.Context) (Report, error) {
	d, err := searchDirectory(o.dir, o.watch, maxAudit, nil)
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("reading audit logs: %w", err)
	}
	o.book.count(d.files, d.bytes)
	o.book.found(beyond(d.seen, o.looked))
	return o.book.report(channel.SinkAuditLog), err
}

// Close implements Observer.
func (o *AuditFiles) Close() error {
	var err error
	if o.open != nil {
		err = o.open.Close()
	}
	return errors.Join(err, os.RemoveAll(o.dir))
}
