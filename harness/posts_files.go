package harness

import (
	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// files starts the observers of the file channels.
func (o *opening) files() {
	o.at(fixtures.ScratchDir+"/out", channel.FileRoot) // tried in every trial, looked for where there is a container
	if !o.ordinary() {
		return
	}
	attach(o, channel.SinkFile, func(w *canary.Watch, _ observers.Pilots) (*observers.File, error) {
		return observers.NewFile(o.trial.api, w)
	})
}
