package watchdog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
)

// engine asks about one container, without a version in the path: what is
// asked here has been the same in every one.
type engine struct {
	client    http.Client
	container string
}

const (
	maxAnswer  = 1 << 20                // an inspection is some 10 KiB
	redial     = 50 * time.Millisecond  // between looks whether an Engine is there again
	betweenTry = 100 * time.Millisecond // after a try that the Engine answered
)

func newEngine(socket, container string) *engine {
	return &engine{container: container, client: http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx, socket)
		},
		DisableKeepAlives:  true, // nothing stays open between now and the fault
		DisableCompression: true,
	}}}
}

// dial waits for an Engine that is not there as long as ctx allows: a request
// that no Engine has heard was no try.
func dial(ctx context.Context, socket string) (net.Conn, error) {
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
		if err == nil {
			return conn, nil
		}
		if pause(ctx, redial) != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state is what is asked of an inspection.
type state struct {
	running bool
	pid     int
}

// look asks for the container's state. One that the Engine does not know does
// not run.
func (e *engine) look(ctx context.Context) (state, error) {
	status, body, err := e.call(ctx, http.MethodGet, "/json")
	switch {
	case err != nil:
		return state{}, fmt.Errorf("looking at the container: %w", err)
	case status == http.StatusNotFound:
		return state{}, nil
	case status != http.StatusOK:
		return state{}, fmt.Errorf("looking at the container: status %d", status)
	}
	return parseState(body, e.container)
}

// parseState takes silence for no answer, never for "not running".
func parseState(body []byte, container string) (state, error) {
	var answer struct {
		ID    string `json:"Id"`
		State *struct {
			Running *bool
			Pid     *int
		}
	}
	if json.Unmarshal(body, &answer) != nil || answer.ID != container ||
		answer.State == nil || answer.State.Running == nil || answer.State.Pid == nil {
		return state{}, errors.New("looking at the container: not an account of it")
	}
	return state{running: *answer.State.Running, pid: *answer.State.Pid}, nil
}

// stop tries to end the container until the Engine says that it does not run.
func (e *engine) stop(ctx context.Context, t Timing) error {
	var errs []error
	for range t.Tries {
		try, cancel := context.WithTimeout(ctx, t.StopTry)
		err := e.tryStop(try)
		if err == nil {
			cancel()
			return nil
		}
		errs = append(errs, err)
		pause(try, betweenTry)
		cancel()
	}
	return errors.Join(errs...)
}

func (e *engine) tryStop(ctx context.Context) error {
	status, _, err := e.call(ctx, http.MethodPost, "/kill?signal=KILL")
	switch {
	case err != nil:
		return fmt.Errorf("killing the container: %w", err)
	case status == http.StatusNotFound:
		return nil
	case status != http.StatusNoContent && status != http.StatusConflict: // a conflict is one that does not run
		return fmt.Errorf("killing the container: status %d", status)
	}
	if _, _, err := e.call(ctx, http.MethodPost, "/wait?condition=not-running"); err != nil {
		return fmt.Errorf("waiting for the container: %w", err)
	}
	now, err := e.look(ctx)
	if err != nil {
		return err
	}
	if now.running {
		return errors.New("killing the container: it still runs")
	}
	return nil
}

// call sends a request without a body and reads the whole answer.
func (e *engine) call(ctx context.Context, method, what string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://engine/containers/"+e.container+what, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	response, err := e.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, body, err
}
