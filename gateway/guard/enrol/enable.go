package enrol

import (
	"context"
	"slices"
	"time"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
)

// Options are how servers are confined.
type Options struct {
	Tier     guard.Tier // "" wraps without a profile
	Required bool       // refuse to run them unconfined
}

// plan is what is to be done for one client.
type plan struct {
	client clients.Client
	rows   []Row
	wrap   map[string]guard.Wrapped // by project and name
	store  []guard.Entry
}

func key(s clients.Server) string { return s.Project + "\x00" + s.Name }

// Enable wraps every server that a client starts and that is not wrapped yet. A
// file that cannot be changed is a row that Failed; an error means that nothing
// was changed, but where writing the store failed.
func (g Guard) Enable(ctx context.Context, o Options) ([]Row, error) {
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
	var plans []plan
	var profiles []guard.Entry
	for _, c := range g.Clients {
		p, err := g.plan(c, o, stored)
		if err != nil {
			return nil, err
		}
		plans, profiles = append(plans, p), append(profiles, p.store...)
	}
	if len(profiles) > 0 && !g.DryRun {
		if err := g.store().Update(ctx, func(old []guard.Entry) ([]guard.Entry, error) { return with(old, profiles), nil }); err != nil {
			return nil, err
		}
	}
	var rows []Row
	for _, p := range plans {
		rows = append(rows, g.carryOut(p)...)
	}
	return rows, nil
}

// with is the entries with others added, each in the place of one of the same
// server: somebody may have copied a wrapped entry to another name.
func with(all, more []guard.Entry) []guard.Entry {
	for _, e := range more {
		if same := find(all, e.Client, e.Profile.Server); same != nil {
			*same = e
		} else {
			all = append(all, e)
		}
	}
	return all
}

func (g Guard) plan(c clients.Client, o Options, stored []guard.Entry) (plan, error) {
	p := plan{client: c, wrap: map[string]guard.Wrapped{}}
	_, d, err := g.look(c)
	if err != nil {
		p.rows = append(p.rows, g.failed(c, err))
		return p, nil
	}
	for _, s := range d.Servers {
		if !g.means(s.Name) {
			continue
		}
		switch {
		case s.Left != "":
			p.rows = append(p.rows, row(c, s, LeftAlone, string(s.Left)))
		case s.Wrapped:
			p.rows = append(p.rows, p.restore(s, stored, g.Machine))
		default:
			if err := p.enrol(s, o, stored, g.Machine); err != nil {
				return plan{}, err
			}
		}
	}
	return p, nil
}

// enrol takes a profile that is stored already, where it is what is asked for:
// an upgrade that would derive another one changes nothing that was enrolled.
func (p *plan) enrol(s clients.Server, o Options, stored []guard.Entry, m guard.Machine) error {
	command := append([]string{s.Program}, s.Args...)
	w := guard.Wrapped{Server: s.Name, Original: guard.OriginalHash(s.Name, command, s.Listed), Required: o.Required, Command: command}
	if o.Tier != "" {
		client := place(p.client, s.Project)
		e := find(stored, client, s.Name)
		if e == nil || e.Profile.Tier != o.Tier || e.Profile.Required != o.Required {
			profile, err := guard.Derive(guard.Request{Server: s.Name, Command: command, Tier: o.Tier, Required: o.Required}, m, time.Now())
			if err != nil {
				return err
			}
			e = &guard.Entry{Client: client, Profile: profile}
			p.store = append(p.store, *e)
		}
		w.Profile = e.Profile.Hash()
	}
	p.wrap[key(s)] = w
	p.rows = append(p.rows, row(p.client, s, Wrapped, ""))
	return nil
}

// restore stores the profile of a wrapped server again, where it is gone and
// what is derived now is exactly what the marker stands for.
func (p *plan) restore(s clients.Server, stored []guard.Entry, m guard.Machine) Row {
	w := s.Inner
	if spawn := w.Spawn(stored, true); !spawn.Stored && spawn.Original && spawn.Marker == guard.Valid {
		for _, tier := range []guard.Tier{guard.Standard, guard.Strict} {
			r := guard.Request{Server: w.Server, Command: w.Command, Tier: tier, Required: w.Required}
			if profile, err := guard.Derive(r, m, time.Now()); err == nil && profile.Hash() == w.Profile {
				p.store = append(p.store, guard.Entry{Client: place(p.client, s.Project), Profile: profile})
				return row(p.client, s, Restored, "")
			}
		}
	}
	return row(p.client, s, Already, "")
}

// carryOut wraps what was planned and is still as it was.
func (g Guard) carryOut(p plan) []Row {
	if g.DryRun || len(p.wrap) == 0 {
		return p.rows
	}
	done := map[string]bool{}
	err := g.rewrite(p.client, func(d *clients.Document) []byte {
		now := map[int]guard.Wrapped{}
		clear(done)
		for i, s := range d.Servers {
			w, planned := p.wrap[key(s)]
			if !planned || s.Left != "" || s.Wrapped || !slices.Equal(w.Command, append([]string{s.Program}, s.Args...)) {
				continue
			}
			w.Original = guard.OriginalHash(s.Name, w.Command, s.Listed)
			now[i], done[key(s)] = w, true
		}
		return d.Wrap(g.Program, now)
	})
	for i, r := range p.rows {
		if r.State == Wrapped && (err != nil || !done[r.Project+"\x00"+r.Server]) {
			p.rows[i].State, p.rows[i].Why = Failed, string(clients.Busy)
			if err != nil {
				p.rows[i].Why = g.failed(p.client, err).Why
			}
		}
	}
	return p.rows
}
