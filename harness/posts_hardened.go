package harness

import (
	"fmt"
	"math/rand/v2"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/observers"
	"postern/observers/canary"
)

// hardened starts the observers of the channels that the hardened profile alone
// shuts. Elsewhere they are open, and not looked at.
func (o *opening) hardened() {
	if o.trial.spec.Tier != confine.TierHardened {
		return
	}
	base := vsockBase()
	o.at(fmt.Sprint(base), channel.KernelVsock)
	o.at(fixtures.PilotFirstPath, channel.KernelLock) // a file that nobody else there opens
	if !o.ordinary() {
		return
	}
	enter(o, channel.SinkHeld, func(w *canary.Watch, p observers.Pilots) (*observers.Held, error) {
		return observers.NewHeld(o.trial.uid, w, p)
	})
	enter(o, channel.SinkVsock, func(w *canary.Watch, p observers.Pilots) (*observers.Vsock, error) {
		return observers.NewVsock(base, w, p)
	})
}

// All trials on a machine share its ports, and measurements too, which have
// those around 0x50000000.
const (
	firstVsock  = 0x60000000
	vsockRanges = 1 << 20
)

// vsockBase is where a range of ports begins that no other trial is likely to have.
func vsockBase() uint32 { return firstVsock + rand.Uint32N(vsockRanges)*observers.VsockPorts }
