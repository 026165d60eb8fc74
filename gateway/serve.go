package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"postern/gateway/audit"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
	"postern/gateway/watchdog"
)

// The arguments by which a program takes one of the two trusted roles: of the
// bridge, it calls Serve with its standard streams; of the watchdog, it calls
// watchdog.Main with the arguments behind. Such a program arms itself.
const (
	BridgeCommand   = "bridge"
	WatchdogCommand = "watchdog"
)

// Order is what a bridge process reads from its stdin: the subject and, inside
// Initial, plaintext. It is never written anywhere.
type Order struct {
	Socket  string // the Engine's
	Proxy   string // where the watchdog reaches the Engine, if not at Socket
	Config  Config
	Initial []byte
	Labels  map[string]string
}

// Event is one line that a bridge process writes to its stdout.
type Event struct {
	Container string         `json:",omitempty"` // created, with this id
	Watchdog  int            `json:",omitempty"` // armed, with this pid
	Outcome   bridge.Outcome `json:",omitempty"` // ended
	Audit     *audit.Head    `json:",omitempty"` // and where the audit chain ends
}

// Serve leads one session in a process of its own. It reads an Order and tells
// of its steps.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := confine.DenyCores(); err != nil {
		return err
	}
	var o Order
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return errors.New("a bridge reads one order from its stdin; it is not for hands")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	engine, err := docker.Connect(ctx, o.Socket)
	if err != nil {
		return err
	}
	defer engine.Close()
	tell := json.NewEncoder(out)
	s := Session{
		Config: o.Config, Backend: Docker{Engine: engine, WatchdogSocket: o.Proxy}, Initial: o.Initial, Labels: o.Labels,
		Watchdog: []string{self, WatchdogCommand},
		Created:  func(_ context.Context, id string) error { return tell.Encode(Event{Container: id}) },
		Armed:    func(l *watchdog.Lease) { tell.Encode(Event{Watchdog: l.PID()}) },
	}
	result, err := s.Run(ctx)
	if ctx.Err() != nil {
		err = nil // told to end, and has
	}
	ended := Event{Outcome: result.Outcome}
	if result.Audit.Rows > 0 {
		ended.Audit = &result.Audit
	}
	return errors.Join(err, tell.Encode(ended))
}
