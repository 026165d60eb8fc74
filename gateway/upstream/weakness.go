package upstream

import "context"

// Weakness takes checks of a server's tools away, for mutants. The zero value
// is strict.
type Weakness struct {
	Unpinned   bool // a tool without a pin may be defined in any way
	Drifted    bool // so may one with a pin
	Unlisted   bool // a pinned tool need not be listed
	NamesTwice bool // of two listed tools with one name the last counts
}

// ListWeak is List with some checks taken away. Nothing of the gateway's own
// calls it, or PinnedWeak: they are for the harness, and a test keeps them there.
func (c *Client) ListWeak(ctx context.Context, w Weakness) (map[string]string, error) {
	return c.list(ctx, w)
}

// PinnedWeak is Pinned with some checks taken away.
func PinnedWeak(listed, pins map[string]string, w Weakness) error { return pinned(listed, pins, w) }
