package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// processes starts the observers of the process channels.
func (o *opening) processes() {
	t := o.trial
	victim := open(o, channel.SinkVictim, func(w *canary.Watch, p observers.Pilots) (*observers.Victim, error) {
		return observers.NewVictim(t.binaries.Agent, t.dir+"/victim", t.uid, w, p)
	})
	if o.err == nil {
		o.at(victim.Addr(), channel.ProcessSignalValue, channel.ProcessSignalNumber, channel.ProcessLimit,
			channel.ProcessRoot, channel.ProcessDirectory, channel.ProcessDescriptor, channel.ProcessTaken,
			channel.ProcessTrace, channel.ProcessMemory, channel.ProcessMemoryCall)
	}
	ipc := open(o, channel.SinkIPC, func(w *canary.Watch, p observers.Pilots) (*observers.IPC, error) {
		return observers.NewIPC(t.uid, w, p)
	})
	if o.err == nil {
		o.at(ipc.Addr(), channel.ProcessSegment, channel.ProcessQueue, channel.ProcessSemaphore, channel.ProcessMessage, channel.ProcessShared)
	}
	o.at(observers.PeerFile(t.uid), channel.ProcessPeerFile)
	o.at(observers.PeerOutput, channel.ProcessPeerOutput)
	if !o.ordinary() {
		return
	}
	enter(o, channel.SinkPeer, func(w *canary.Watch, p observers.Pilots) (*observers.Peer, error) {
		peer, err := t.peer.get(t.lab, t.spec.Tier)
		if err != nil {
			return nil, err
		}
		return observers.NewPeer(t.api, t.binaries.Agent, peer.Neighbour, t.uid, w, p)
	})
	enter(o, channel.SinkPrivilege, func(w *canary.Watch, p observers.Pilots) (*observers.Privilege, error) {
		return observers.NewPrivilege(t.binaries.Agent, w, p)
	})
}
