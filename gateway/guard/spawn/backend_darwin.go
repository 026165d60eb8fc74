package spawn

import (
	"context"
	"errors"

	"postern/gateway/confine/seatbelt"
)

// Survey tries the backend of this system.
func Survey(ctx context.Context, _ Means) ([]Found, error) {
	b, err := seatbelt.Available(ctx)
	only, err := tried(Backend{"seatbelt", func(ctx context.Context, s server) (sandbox, error) {
		made, err := b.Prepare(ctx, seatbelt.Server{Profile: s.profile, Command: s.command, Env: s.env})
		return replaced{made}, lacking(err)
	}}, lacking(err))
	return []Found{only}, err
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
