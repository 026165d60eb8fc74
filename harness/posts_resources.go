package harness

import (
	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/observers"
	"postern/observers/canary"
)

const (
	defaultShm = 64 << 20 // bytes, of the Engine
	littleDisk = 1 << 20  // bytes; what the Engine itself puts into a container is a few empty files
)

// resources starts the observers of the resource channels.
func (o *opening) resources() {
	o.at(fixtures.ScratchDir+"/room", channel.ResourceDisk)
	if !o.ordinary() {
		return
	}
	reference := confine.Reference()
	limits := observers.Limits{Pids: reference.Pids, Memory: reference.Memory, Shm: defaultShm}
	enter(o, channel.SinkCgroup, func(w *canary.Watch, _ observers.Pilots) (*observers.Cgroup, error) {
		return observers.NewCgroup(o.trial.api, limits, w), nil
	})
	attach(o, channel.SinkDisk, func(w *canary.Watch, _ observers.Pilots) (*observers.Disk, error) {
		return observers.NewDisk(o.trial.api, littleDisk, w), nil
	})
}
