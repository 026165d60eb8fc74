package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"postern/gateway/confine"
	"postern/gateway/frame"
	"postern/gateway/guard"
	"postern/gateway/guard/spawn"
)

// CallsCommand is the argument by which a program serves calls without an agent:
// it calls ServeCalls with its standard streams.
const CallsCommand = "calls"

// Answer is one line that such a process writes to its stdout: first what became
// of the gateway, then the code of each call's reply.
type Answer struct {
	Opened  bool         `json:",omitempty"`
	Refused guard.Reason `json:",omitempty"` // why its tool server was not started
	Code    string       `json:",omitempty"`
}

// ServeCalls opens the gateway that its input begins with, a Config, and has it
// serve the calls behind, one JSON object each, to the end of the input. It is for
// looking at a gateway from another process, which can end this one.
func ServeCalls(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	if err := confine.DenyCores(); err != nil {
		return err
	}
	lines, tell := json.NewDecoder(in), json.NewEncoder(out)
	var c Config
	if err := lines.Decode(&c); err != nil {
		return errors.New("it reads a gateway's configuration from its stdin; it is not for hands")
	}
	g, err := Open(ctx, c)
	if refused := (*spawn.Refused)(nil); errors.As(err, &refused) {
		return tell.Encode(Answer{Refused: refused.Reason})
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	if err := tell.Encode(Answer{Opened: true}); err != nil {
		return err
	}
	for {
		var call frame.Call
		if err := lines.Decode(&call); err == io.EOF {
			return nil
		} else if err != nil {
			return errors.New("what came behind the configuration is no call")
		}
		if err := tell.Encode(Answer{Code: string(g.Handle(ctx, call).Code)}); err != nil {
			return err
		}
	}
}
