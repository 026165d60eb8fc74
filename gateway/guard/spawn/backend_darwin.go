package spawn

import (
	"context"
	"errors"

	"postern/gateway/confine/seatbelt"
)

// Available tries the backend of this system, whose program has one place. Where
// there is no sandbox the error is a *Lacking.
func Available(ctx context.Context, _ []string) (Backend, error) {
	b, err := seatbelt.Available(ctx)
	return Backend{"seatbelt", func(ctx context.Context, s server) (sandbox, error) {
		made, err := b.Prepare(ctx, seatbelt.Server{Profile: s.profile, Command: s.command, Env: s.env})
		return replaced{made}, lacking(err)
	}}, lacking(err)
}

func lacking(err error) error {
	if unable := (*seatbelt.Unable)(nil); errors.As(err, &unable) {
		return &Lacking{string(unable.Why), unable.Why.Says()}
	}
	return err
}

// replaced is a sandbox in which the server takes the place of this process.
type replaced struct{ *seatbelt.Sandbox }

func (r replaced) Run() (int, error) { return ExitRefused, r.Become() }
