package enrol

import (
	"errors"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
)

// Status is what each server is, and what the table says of the next time that
// it is started. A store that cannot be read is told by damage, and everything
// wrapped is then refused.
func (g Guard) Status(table guard.Table, backend bool) (rows []Row, damage *guard.Damaged, err error) {
	stored, err := g.store().Load()
	if err != nil && !errors.As(err, &damage) {
		return nil, nil, err
	}
	for _, c := range g.Clients {
		_, d, err := g.look(c)
		if err != nil {
			rows = append(rows, g.failed(c, err))
			continue
		}
		has := map[string]bool{}
		for _, s := range d.Servers {
			has[key(s)] = true
			if s.Wrapped {
				has[s.Project+"\x00"+s.Inner.Server] = true
			}
			if g.means(s.Name) {
				rows = append(rows, g.state(c, s, stored, damage != nil, table, backend))
			}
		}
		for _, e := range stored {
			if project, ours := owns(c, e); ours && g.means(e.Profile.Server) && !has[project+"\x00"+e.Profile.Server] {
				rows = append(rows, Row{Client: c.ID, Project: project, Server: e.Profile.Server, State: Gone})
			}
		}
	}
	return rows, damage, nil
}

func (g Guard) state(c clients.Client, s clients.Server, stored []guard.Entry, damaged bool, table guard.Table, backend bool) Row {
	switch {
	case s.Left != "":
		return row(c, s, LeftAlone, string(s.Left))
	case !s.Wrapped && find(stored, place(c, s.Project), s.Name) != nil:
		return row(c, s, HalfEnabled, "")
	case !s.Wrapped:
		return row(c, s, NotWrapped, "")
	case s.Program != g.Program:
		return row(c, s, OtherProgram, "")
	case damaged:
		return row(c, s, State(guard.Refuse.String()), StoreDamaged)
	}
	d := table.Decide(s.Inner.Spawn(stored, backend))
	return row(c, s, State(d.Action.String()), string(d.Reason))
}
