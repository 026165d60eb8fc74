package mutants

import (
	"slices"
	"testing"

	"postern/fixtures/channel"
	"postern/gateway/confine"
)

// What changes the whole host must be put back even when the harness is killed,
// and must not be seen by another trial.
func TestWhatChangesTheHostIsWrittenDownFirst(t *testing.T) {
	journalled := []Need{NeedHostState, NeedCoreHandler}
	for _, m := range All() {
		changes := slices.ContainsFunc(channel.All(), func(c channel.Channel) bool {
			host := c.Sink == channel.SinkSettings || c.ID == channel.KernelCgroupHost || c.ID == channel.KernelRelease
			return host && slices.Contains(m.Opens, c.ID)
		})
		kept := slices.ContainsFunc(m.Needs, func(n Need) bool { return slices.Contains(journalled, n) })
		if changes && !(m.Alone && kept) {
			t.Errorf("%s: changes the host, and is not alone or not written down", m.ID)
		}
		if slices.Contains(m.Opens, channel.KernelKeyring) && !slices.Contains(m.Needs, NeedKeyring) {
			t.Errorf("%s: leaves keys behind that nobody takes away", m.ID)
		}
	}
}

func TestEveryKernelControlHasAMutant(t *testing.T) {
	for _, c := range []confine.Control{
		confine.CapabilitiesDropped, confine.CapabilitiesNotAdded, confine.SeccompDefault, confine.LSMDefault,
		confine.DevicesNone, confine.DeviceRulesNone, confine.PathsMasked, confine.PathsReadonly, confine.PrivilegedOff,
		confine.SysctlsNone, confine.CoreZero, confine.UTSPrivate, confine.UserNamespace, confine.CgroupPrivate,
		confine.CgroupParentDefault, confine.RuntimeDefault, confine.HostEngineSeccomp, confine.HostLocalSocket,
		confine.HostSocketPeer, confine.HostCorePattern, confine.HostCoreLimit, confine.HostNativeLinux, confine.HostEngineKernel,
	} {
		if !slices.ContainsFunc(All(), func(m Mutant) bool { return m.Weakens == c }) {
			t.Errorf("%s: no mutant weakens it", c)
		}
	}
}
