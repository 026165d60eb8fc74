package confine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Weaknesses lists the controls that p itself gives up. A profile may be
// stricter than its tier (fewer processes, less memory, another user), never
// weaker. Admission refuses a weak profile whatever the Engine made of it.
func Weaknesses(p Profile) []Control {
	ref, known := p.Tier.Profile()
	_, _, userErr := NumericUser(p.User)
	rows := []struct {
		control Control
		strict  bool
	}{
		{NetworkNone, p.Network == ref.Network},
		{RootReadonly, p.ReadonlyRoot},
		{BindsNone, len(p.Binds) == 0},
		{VolumesNone, len(p.Volumes) == 0},
		{VolumesFromNone, len(p.VolumesFrom) == 0},
		{TmpfsNone, len(p.Tmpfs) == 0},
		{CapabilitiesDropped, slices.Equal(p.CapDrop, ref.CapDrop)},
		{CapabilitiesNotAdded, len(p.CapAdd) == 0},
		{NoNewPrivileges, p.NoNewPrivileges},
		{UserNonroot, userErr == nil},
		{GroupsNone, len(p.Groups) == 0},
		{LogNone, p.Log.Driver == ref.Log.Driver && len(p.Log.Options) == 0},
		{RestartNone, p.Restart == ref.Restart},
		{CoreZero, p.Core == ref.Core},
		{PidsLimit, 0 < p.Pids && p.Pids <= ref.Pids},
		{MemoryLimit, 0 < p.Memory && p.Memory <= ref.Memory},
		{SwapNone, p.Swap == 0},
		{OOMKill, !p.OOMKillDisable},
		{ShmDefault, p.ShmSize == ref.ShmSize || 0 < p.ShmSize && p.ShmSize < ref.ShmSize},
		{IPCPrivate, p.IPC == ref.IPC},
		{PIDPrivate, p.PID == ""},
		{UTSPrivate, p.UTS == ""},
		{UserNamespace, p.Userns == ""},
		{CgroupPrivate, p.Cgroupns == ref.Cgroupns},
		{CgroupParentDefault, p.CgroupParent == ""},
		{DevicesNone, len(p.Devices) == 0},
		{DeviceRulesNone, len(p.DeviceRules) == 0},
		{PortsNone, len(p.Ports.Publish)+len(p.Ports.Expose) == 0 && !p.Ports.All},
		{LinksNone, len(p.Links) == 0},
		{HostsNone, len(p.Hosts) == 0},
		{DNSNone, len(p.DNS.Servers)+len(p.DNS.Search)+len(p.DNS.Options) == 0},
		{SysctlsNone, len(p.Sysctls) == 0},
		{HealthcheckNone, len(p.Healthcheck) == 0},
		{PrivilegedOff, !p.Privileged},
		{RuntimeDefault, p.Runtime == ""},
		{InitOff, !p.Init},
		{SeccompDefault, p.Seccomp == "" && (p.Tier == TierHardened || p.Deny == Deny{})}, // a filter of ours is not the Engine's
		{LSMDefault, len(p.LSM) == 0},
		{PathsMasked, p.MaskedPaths},
		{PathsReadonly, p.ReadonlyPaths},
		{AutoremoveOff, !p.AutoRemove},
		{TTYOff, !p.TTY},
		{CommandImage, len(p.Command) == 0},
		{EnvNone, len(p.Env) == 0},
		{WorkDirRoot, p.WorkDir == ""},
		{HostnameDefault, p.Hostname == ""},
		{StopDefault, p.Stop == Stop{}},
		{UlimitsExact, slices.Equal(p.Ulimits, ref.Ulimits)},
		{OOMScoreZero, p.OOMScore == 0},
		{CPUExact, p.CPU.within(ref.CPU)},
		{MountsNone, len(p.Mounts) == 0},
		{NetworksNone, len(p.Networks) == 0},
		{ExtraNone, len(p.Extra) == 0},
		{Unrecognised, known},
	}
	weak := ref.Deny.beyond(p.Deny)
	for _, r := range rows {
		if !r.strict {
			weak = append(weak, r.control)
		}
	}
	return weak
}

// NumericUser splits "uid:gid". Names, root on either side, the id that means
// "unchanged" to the kernel and any spelling but the shortest are errors.
func NumericUser(user string) (uid, gid uint32, err error) {
	u, g, _ := strings.Cut(user, ":")
	if uid, err = numericID(u); err != nil {
		return 0, 0, fmt.Errorf("reading the user id of a profile: %w", err)
	}
	if gid, err = numericID(g); err != nil {
		return 0, 0, fmt.Errorf("reading the group id of a profile: %w", err)
	}
	return uid, gid, nil
}

func numericID(s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != s {
		return 0, fmt.Errorf("want a decimal number from 1 to %d", 1<<31-1)
	}
	return uint32(n), nil
}

// within allows less CPU time than ref, where ref limits it, and nothing else.
func (c CPU) within(ref CPU) bool {
	if 0 < c.Nano && c.Nano < ref.Nano {
		c.Nano = ref.Nano
	}
	return c == ref
}
