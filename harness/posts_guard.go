package harness

import (
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/gateway/guard"
	"postern/mutants"
	"postern/observers"
	"postern/observers/canary"
)

// grounds are the places of a trial that a hostile tool server goes for, and
// those that it is given.
type grounds struct {
	outbox    string   // in its scratch: where it carries what it read
	notes     string   // in its scratch: where it carries whose arguments it read
	report    string   // in its scratch: what it tried
	answers   string   // in its scratch: a pipe
	asks      string   // in its scratch: a pipe
	documents string   // at home
	autostart string   // at home
	socket    string   // at home, of another program
	secrets   []string // at home: a file in each secret place
}

func groundsBelow(dir string) grounds {
	m := machine(dir)
	scratch := filepath.Join(m.State, "scratch", guard.Segment(enrolledName))
	g := grounds{
		outbox: filepath.Join(scratch, "outbox"), notes: filepath.Join(scratch, "notes"), report: filepath.Join(scratch, "report"),
		answers: filepath.Join(scratch, "answers"), asks: filepath.Join(scratch, "asks"),
		documents: filepath.Join(m.Home, "documents"), autostart: filepath.Join(m.Home, ".config/autostart"),
		socket: filepath.Join(m.Home, "run/program"),
	}
	for _, place := range mutants.SecretPlaces() {
		g.secrets = append(g.secrets, filepath.Join(m.Home, place, "secret"))
	}
	return g
}

// plant makes the places, with a secret in each secret one.
func (g grounds) plant(secret string) error {
	for _, d := range []string{g.outbox, g.notes, g.documents, g.autostart, filepath.Dir(g.socket)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	for _, file := range g.secrets {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(g.report, nil, 0o600)
}

// guard starts the observers of what a tool server does by itself.
func (o *opening) guard() {
	t := o.trial
	t.grounds = groundsBelow(t.dir)
	g := t.grounds
	if o.err = g.plant(t.canaries.planted(channel.GuardSecret)); o.err != nil {
		return
	}
	for sink, dir := range map[channel.Sink]string{
		channel.SinkGuardOutbox: g.outbox, channel.SinkGuardFile: g.documents, channel.SinkGuardAutostart: g.autostart,
	} {
		open(o, sink, func(w *canary.Watch, p observers.Pilots) (*observers.Kept, error) {
			return observers.NewTree(sink, dir, w, p), nil
		})
	}
	for _, place := range []observers.Place{
		{Sink: channel.SinkGuardListener, Network: "tcp4", Address: "127.0.0.1:0"},
		{Sink: channel.SinkGuardSocket, Network: "unix", Address: g.socket},
	} {
		tcp := open(o, place.Sink, func(w *canary.Watch, p observers.Pilots) (*observers.TCP, error) {
			return observers.NewTCPAt(place, w, p)
		})
		if o.err == nil && place.Sink == channel.SinkGuardListener {
			o.at(tcp.Addr(), channel.GuardListener)
		}
	}
	open(o, channel.SinkGuardProcess, func(w *canary.Watch, p observers.Pilots) (*observers.Pipe, error) {
		return observers.NewPipeAt(channel.SinkGuardProcess, g.answers, w, p)
	})
	o.programs()
	o.session()
}
