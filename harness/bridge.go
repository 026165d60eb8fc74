package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
	"postern/gateway/watchdog"
	"postern/harness/host"
)

// BridgeCommand is the argument by which a program that uses this package must
// call Bridge with its standard streams.
const BridgeCommand = "bridge"

// order is what a bridge process reads from its stdin: the subject and, inside
// Initial, plaintext. It is never written anywhere else.
type order struct {
	Socket  string
	Proxy   string // where the watchdog reaches the Engine, if not at Socket
	Config  gateway.Config
	Initial []byte
	Labels  map[string]string
}

// event is one line that a bridge process writes to its stdout.
type event struct {
	Container string         `json:",omitempty"` // created, with this id
	Watchdog  int            `json:",omitempty"` // armed, with this pid
	Outcome   bridge.Outcome `json:",omitempty"` // ended
}

// Bridge leads one session in a process of its own, so that it can be hurt as
// a real bridge would be. It reads an order and tells of its steps; its
// container is labelled as its own.
func Bridge(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := confine.DenyCores(); err != nil {
		return err
	}
	var o order
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return errors.New("a bridge reads one order from its stdin; it is not for hands")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	owner, err := host.Self()
	if err != nil {
		return err
	}
	engine, err := docker.Connect(ctx, o.Socket)
	if err != nil {
		return err
	}
	defer engine.Close()
	o.Labels[labelOwner] = owner.String()
	tell := json.NewEncoder(out)
	s := gateway.Session{
		Config: o.Config, Engine: engine, Initial: o.Initial, Labels: o.Labels,
		Watchdog: []string{self, WatchdogCommand}, WatchdogSocket: o.Proxy,
		Created: func(_ context.Context, id string) error { return tell.Encode(event{Container: id}) },
		Armed:   func(l *watchdog.Lease) { tell.Encode(event{Watchdog: l.PID()}) },
	}
	result, err := s.Run(ctx)
	if ctx.Err() != nil {
		err = nil // told to end, and has
	}
	return errors.Join(err, tell.Encode(event{Outcome: result.Outcome}))
}
