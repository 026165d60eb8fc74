package enrol

import (
	"context"
	"slices"
	"strings"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
)

// Disable puts back what the clients started before, and then forgets the
// profiles. A server whose original entry was changed since is left alone,
// unless changed.
func (g Guard) Disable(ctx context.Context, changed bool) ([]Row, error) {
	if !g.DryRun {
		lock, err := g.lock()
		if err != nil {
			return nil, err
		}
		defer lock.Close()
	}
	stored, err := g.store().Load()
	if err != nil {
		return nil, err
	}
	var rows []Row
	drop := map[[2]string]bool{}
	for _, c := range g.Clients {
		of, kept := g.unwrap(c, changed)
		rows = append(rows, of...)
		for _, e := range stored {
			if project, ours := owns(c, e); ours && g.means(e.Profile.Server) && kept != nil && !kept[project+"\x00"+e.Profile.Server] {
				drop[[2]string{e.Client, e.Profile.Server}] = true
				if !slices.ContainsFunc(of, func(r Row) bool { return r.Project == project && r.Server == e.Profile.Server && r.State == Unwrapped }) {
					rows = append(rows, Row{Client: c.ID, Project: project, Server: e.Profile.Server, State: Forgotten})
				}
			}
		}
	}
	if len(drop) == 0 || g.DryRun {
		return rows, nil
	}
	return rows, g.store().Update(ctx, func(old []guard.Entry) ([]guard.Entry, error) {
		return slices.DeleteFunc(old, func(e guard.Entry) bool { return drop[[2]string{e.Client, e.Profile.Server}] }), nil
	})
}

// owns reports whether a stored entry is one of a client's, and of which project.
func owns(c clients.Client, e guard.Entry) (project string, ours bool) {
	if e.Client == c.ID {
		return "", true
	}
	return strings.CutPrefix(e.Client, c.ID+" ")
}

// unwrap changes one file. kept are the servers that stay wrapped, so that their
// profiles do, too; nil where nobody knows.
func (g Guard) unwrap(c clients.Client, changed bool) (rows []Row, kept map[string]bool) {
	take := func(d *clients.Document) []byte {
		var which []int
		rows, kept = nil, map[string]bool{}
		for i, s := range d.Servers {
			switch {
			case !s.Wrapped || !g.means(s.Name):
				continue
			case s.Left != "":
				rows = append(rows, row(c, s, Failed, string(s.Left)))
			case !s.Inner.Unchanged() && !changed:
				rows = append(rows, row(c, s, Failed, string(guard.OriginalChanged)))
			default:
				which = append(which, i)
				rows = append(rows, row(c, s, Unwrapped, ""))
				continue
			}
			kept[s.Project+"\x00"+s.Inner.Server], kept[key(s)] = true, true
		}
		return d.Unwrap(which)
	}
	if g.DryRun {
		_, d, err := g.look(c)
		if err != nil {
			return []Row{g.failed(c, err)}, nil
		}
		take(d)
		return rows, kept
	}
	kept = map[string]bool{} // where there is no file, nothing is wrapped
	if err := g.rewrite(c, take); err != nil {
		return []Row{g.failed(c, err)}, nil
	}
	return rows, kept
}
