package harness

import (
	"fmt"
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// programs starts the observers of other programs of the user.
func (o *opening) programs() {
	t := o.trial
	word := fmt.Sprintf("postern-beside-%x", t.uid)
	open(o, channel.SinkGuardArguments, func(w *canary.Watch, p observers.Pilots) (*observers.Arguments, error) {
		return observers.NewArguments(observers.Beside{
			Program: t.binaries.Agent, Word: word, Argument: t.canaries.planted(channel.GuardArguments), Notes: t.grounds.notes,
		}, w, p)
	})
	o.at(word, channel.GuardArguments)
	segment := open(o, channel.SinkGuardSegment, func(w *canary.Watch, p observers.Pilots) (*observers.Segment, error) {
		return observers.NewSegment(t.uid, w, p)
	})
	if o.err == nil {
		o.at(segment.Addr(), channel.GuardSegment)
	}
}

// session starts the observers of what belongs to the session of the gateway.
func (o *opening) session() {
	keyring := open(o, channel.SinkGuardKeyring, func(w *canary.Watch, p observers.Pilots) (*observers.SessionKeyring, error) {
		return observers.NewSessionKeyring(channel.SinkGuardKeyring, w, p)
	})
	if o.err == nil {
		o.posts.inside = keyring.Inside
	}
	o.posts.terminal = started(o, channel.SinkGuardTerminal, func(w *canary.Watch, p observers.Pilots) (*observers.Pipe, error) {
		return observers.NewTerminal(channel.SinkGuardTerminal, w, p)
	})
}
