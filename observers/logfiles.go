package observers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// LogFiles reads the files that gateways write their logs to, byte by byte. Its
// pilots are lines of JSON in files beside them.
type LogFiles struct {
	dir    string
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
}

var _ Observer = (*LogFiles)(nil)

// NewLogFiles makes a directory below parent that only this user can enter, for
// logs to be written in.
func NewLogFiles(parent string, watch *canary.Watch, pilots Pilots) (*LogFiles, error) {
	dir, err := os.MkdirTemp(parent, "log-") // mode 0700
	if err != nil {
		return nil, fmt.Errorf("starting the observer of gateway logs: %w", err)
	}
	return &LogFiles{dir: dir, watch: watch, pilots: pilots, book: newLedger()}, nil
}

// Dir is where the logs belong.
func (o *LogFiles) Dir() string { return o.dir }

// Sink implements Observer.
func (o *LogFiles) Sink() channel.Sink { return channel.SinkGatewayLog }

// Pilot implements Observer. It is heard when the files are read.
func (o *LogFiles) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	line, err := json.Marshal(map[string]string{"msg": text})
	if err == nil {
		err = os.WriteFile(filepath.Join(o.dir, string(phase)), append(line, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the pilot of gateway logs: %w", withoutPath(err))
	}
	return nil
}

// Collect implements Observer.
func (o *LogFiles) Collect(context.Context) (Report, error) {
	d, err := searchDirectory(o.dir, o.watch, maxLogs, nil)
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("reading gateway logs: %w", err)
	}
	o.book.count(d.files, d.bytes)
	o.book.found(d.seen)
	return o.book.report(channel.SinkGatewayLog), err
}

// Close implements Observer.
func (o *LogFiles) Close() error { return os.RemoveAll(o.dir) }
