//go:build !darwin

package spawn

import (
	"context"
	"errors"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
)

// Survey tries each backend of this system, in the order in which they are chosen.
func Survey(ctx context.Context, m Means) ([]Found, error) {
	wrapping, err := bubblewrap.Available(ctx, m.Places)
	first, err := tried(Backend{"bubblewrap", func(_ context.Context, s server) (sandbox, error) {
		made, err := wrapping.Prepare(bubblewrap.Server{
			Profile: s.profile, Command: s.command, Image: s.image, Env: s.env, Stage: s.stage, Stdin: s.stdin, Stdout: s.stdout, Stderr: s.stderr, Weak: s.weak.Bubblewrap,
		})
		return wrapped{made}, lacking(err)
	}}, lacking(err))
	if err != nil {
		return nil, err
	}
	ruling, err := landlock.Available(m.Kernel)
	second, err := tried(Backend{"landlock", func(_ context.Context, s server) (sandbox, error) {
		made, err := ruling.Prepare(landlock.Server{
			Profile: s.profile, Command: s.command, Image: s.image, Env: s.env, Stage: s.stage, Stdin: s.stdin, Stdout: s.stdout, Stderr: s.stderr, Weak: s.weak.Landlock,
		})
		return ruled{made}, lacking(err)
	}}, lacking(err))
	return []Found{first, second}, err
}

func lacking(err error) error {
	if unable := (*bubblewrap.Unable)(nil); errors.As(err, &unable) {
		return &Lacking{string(unable.Why), unable.Why.Says()}
	}
	if unable := (*landlock.Unable)(nil); errors.As(err, &unable) {
		return &Lacking{string(unable.Why), unable.Why.Says()}
	}
	return err
}

// ruled is a sandbox of Landlock's, in which the server takes the place of this
// process, or runs beside it.
type ruled struct{ *landlock.Sandbox }

func (r ruled) Run() (int, error) { return ExitRefused, r.Become() }

func (r ruled) beside() (Process, error) { return r.Start() }
