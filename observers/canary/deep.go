package canary

import (
	"context"
	"fmt"
	"slices"

	"postern/fixtures/channel"
	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
)

// Deep looks for a few canaries in any dress: in encodings upon encodings, in
// pieces, in what was packed. It takes seconds for what a Watch searches in a
// moment, and may be shared between goroutines.
type Deep struct {
	secret.Redacted
	ids     []channel.ID
	scanner *scan.Scanner
}

// deepBase is how many bytes may be searched below any input. It bounds what one
// search can cost: what needs more is not searched whole, and says so.
const deepBase = 8 << 20

// Deep prepares a deep search for some of the watch's canaries. One that the
// watch does not know, or none at all, is an error.
func (w *Watch) Deep(ids ...channel.ID) (*Deep, error) {
	entries := w.entries()
	var secrets []secret.Secret
	for _, id := range ids {
		at := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == id })
		if at < 0 {
			return nil, fmt.Errorf("preparing a deep search: the watch knows no canary of %s", id)
		}
		secrets = append(secrets, entries[at].Canary.secret())
	}
	scanner, err := scan.New(secrets, scan.Options{Base: deepBase, Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("preparing a deep search: %w", err)
	}
	return &Deep{ids: slices.Clone(ids), scanner: scanner}, nil
}

// turn lets one deep search of this process work at a time, on one core: beside
// it live sessions want their heartbeats answered.
var turn = make(chan struct{}, 1)

// Search looks through one whole input and returns whose canaries are in it for
// certain. Where whole is false something of it was left unread: what was not
// found may be there all the same.
func (d *Deep) Search(ctx context.Context, b []byte) (found []channel.ID, whole bool) {
	turn <- struct{}{}
	defer func() { <-turn }()
	r := d.scanner.Bytes(ctx, b)
	for _, h := range r.Hits {
		if id := d.ids[h.Secret]; h.Class == scan.Certain && !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found, len(r.Unproven) == 0
}
