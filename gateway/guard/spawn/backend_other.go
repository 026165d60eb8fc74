//go:build !darwin

package spawn

import (
	"context"
	"errors"

	"postern/gateway/confine/bubblewrap"
)

// Available tries the backend of this system; places are where its program is
// looked for. Where there is no sandbox the error is a *Lacking.
func Available(ctx context.Context, places []string) (Backend, error) {
	b, err := bubblewrap.Available(ctx, places)
	return Backend{"bubblewrap", func(_ context.Context, s server) (sandbox, error) {
		made, err := b.Prepare(bubblewrap.Server{
			Profile: s.profile, Command: s.command, Image: s.image, Env: s.env, Stage: s.stage, Stdin: s.stdin, Stdout: s.stdout, Stderr: s.stderr, Weak: s.weak,
		})
		return wrapped{made}, lacking(err)
	}}, lacking(err)
}

func lacking(err error) error {
	if unable := (*bubblewrap.Unable)(nil); errors.As(err, &unable) {
		return &Lacking{string(unable.Why), unable.Why.Says()}
	}
	return err
}
