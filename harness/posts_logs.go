package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// logs starts the observers of the log and Engine channels.
func (o *opening) logs() {
	if !o.ordinary() {
		return
	}
	attach(o, channel.SinkLog, func(w *canary.Watch, _ observers.Pilots) (*observers.Log, error) {
		return observers.NewLog(o.trial.api, o.trial.dockerRoot, w), nil
	})
}
