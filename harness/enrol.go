package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"postern/gateway"
	"postern/gateway/confine/bubblewrap"
	"postern/gateway/guard"
	"postern/gateway/upstream"
)

// enrolledName is what the tool server of every trial is called by the guard.
const enrolledName = "upstream"

// sandboxed reports whether this machine can confine a tool server. It is found
// out once: it takes milliseconds, and plans are made again and again.
var sandboxed = sync.OnceValue(func() bool {
	_, err := bubblewrap.Available(context.Background(), bubblewrap.Places)
	return err == nil
})

// Unconfined is what a user must be told where tool servers are not confined, and
// "" where they are.
func Unconfined() string {
	if sandboxed() {
		return ""
	}
	return "WARNING: the gateway's tool servers run UNCONFINED, and the guard's mutants are not applicable: install bubblewrap; 'postern guard doctor' says more"
}

func sandboxWord(has bool) string {
	if has {
		return "bubblewrap"
	}
	return "none"
}

// machine is what a tool server's profile is derived for: a home that is thrown
// away.
func machine(dir string) guard.Machine {
	return guard.Machine{OS: "linux", Home: filepath.Join(dir, homeDirectory), Temp: filepath.Join(dir, "temp"), State: filepath.Join(dir, "guard")}
}

// enrol has a tool server confined by the standard profile, which it must be
// wherever this machine can; reach is where it writes besides.
func enrol(ctx context.Context, dir string, s *upstream.Server, reach ...string) error {
	return enrolAs(ctx, sandboxed(), dir, s, reach...)
}

// enrol is the same for a tool server that the harness itself starts: the trusted
// side, which is smaller, makes its sandbox ready.
func (l *lab) enrol(ctx context.Context, dir string, s *upstream.Server, reach ...string) error {
	s.Guard.Stage = l.binaries.Gateway
	return enrol(ctx, dir, s, reach...)
}

func enrolAs(ctx context.Context, required bool, dir string, s *upstream.Server, reach ...string) error {
	m := machine(dir)
	for _, d := range []string{m.Home, m.Temp} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("making a home for a tool server: %w", err)
		}
	}
	s.Guard.Quiet = !sandboxed() // it is said once
	return s.Enrol(ctx, upstream.Enrolment{Name: enrolledName, Tier: guard.Standard, Required: required, Machine: m, Reach: reach})
}

// enrolled is the trial's subject, with its tool server enrolled.
func (t *trial) enrolled(ctx context.Context) (gateway.Config, error) {
	c := t.subject()
	err := enrol(ctx, t.dir, &c.Upstream, filepath.Dir(t.posts.tool.Addr()))
	return c, err
}
