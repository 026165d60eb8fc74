package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// hosts lists the mutants of what is looked at before anything is created. They
// change the host and not the subject, so each is made by what it needs.
func hosts() []Mutant {
	nothing := func(*gateway.Config, Site) {}
	return []Mutant{
		{
			ID:      "host/core-piped",
			Why:     "the kernel hands the core of whatever crashes to a program, in spite of every limit",
			Weakens: confine.HostCorePattern,
			Needs:   []Need{NeedCoreHandler},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelCorePipe},
			Apply:   nothing,

			Hardened: []channel.ID{}, // its limit is the one that the kernel heeds
		},
		{
			ID:      "host/engine-unfiltered",
			Why:     "the Engine was started with a default filter that allows everything",
			Weakens: confine.HostEngineSeccomp,
			Needs:   []Need{NeedOpenEngine, NeedKeyring},
			Opens:   unfiltered(),
			Apply:   nothing,

			Replaced: "own-filter", // which takes the place of the Engine's
		},
		{
			ID:      "host/socket-remote",
			Why:     "the Engine is not reached by a Unix socket: who connects refuses the path",
			Weakens: confine.HostLocalSocket,
			Needs:   []Need{NeedOtherEngine},
			Inert:   "connect-refuses",
			Apply:   nothing,
		},
		{
			ID:      "host/socket-forwarded",
			Why:     "another process forwards to the Engine: who connects refuses it",
			Weakens: confine.HostSocketPeer,
			Needs:   []Need{NeedOtherEngine},
			Inert:   "connect-refuses",
			Apply:   nothing,
		},
		{
			ID:      "host/desktop",
			Why:     "the Engine runs in the virtual machine of a desktop",
			Weakens: confine.HostNativeLinux,
			Needs:   []Need{NeedMachine},
			Inert:   "no-machine",
			Apply:   nothing,
		},
		{
			ID:      "host/kernel-foreign",
			Why:     "the Engine runs on another kernel than the one that is looked at",
			Weakens: confine.HostEngineKernel,
			Needs:   []Need{NeedMachine},
			Inert:   "no-machine",
			Apply:   nothing,
		},
		{
			ID:      "host/core-allowed",
			Why:     "the process that holds all plaintext may leave a core: it forbids itself for good",
			Weakens: confine.HostCoreLimit,
			Needs:   []Need{NeedOwnCore},
			Inert:   "limit-is-final",
			Apply:   nothing,
		},
	}
}
