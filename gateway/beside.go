package gateway

import "context"

// OpenBeside opens a gateway for another tool server of the same agent. It has
// this one's audit log and this one's label: what an answer of either brings
// into the session counts for the calls of both. Lattice and initial label are
// therefore this one's, too. It is closed first.
func (g *Gateway) OpenBeside(ctx context.Context, c Config) (*Gateway, error) {
	c.Lattice, c.Initial = g.config.Lattice, g.config.Initial
	return open(ctx, c, loan{log: g.log, held: g.shared()})
}
