package confine

import (
	"slices"
	"strings"
)

// ControlInfo describes a control for people and for meta-tests.
type ControlInfo struct {
	ID    Control
	Title string // what it takes away, a few words
	Field string // the field of Profile that holds it; "" if no profile can weaken it
	Group string // controls of one group may be redundant with each other
}

// Tier is the one tier that has the control in place, or empty where all have:
// the filter of system calls that denies in groups is the hardened tier's.
func (c ControlInfo) Tier() Tier {
	if strings.HasPrefix(c.Field, "Deny.") {
		return TierHardened
	}
	return TierReference
}

// Controls lists every control there is: profile, its hardened tier, host.
func Controls() []ControlInfo {
	return slices.Concat(profileControls(), denyControls(), hostControls())
}

// Groups are the closed words of ControlInfo.Group, this package's and those of
// the gateway's own controls.
func Groups() []string {
	return []string{
		"network", "files", "privilege", "process", "kernel", "logs", "resources", "lifecycle", "request", "host",
		"policy", "ceiling", "supervision", "gate", "exhaust", "guard",
	}
}

func profileControls() []ControlInfo {
	return []ControlInfo{
		{NetworkNone, "no network but an empty loopback", "Network", "network"},
		{RootReadonly, "root file system read-only", "ReadonlyRoot", "files"},
		{BindsNone, "no directory of the host", "Binds", "files"},
		{VolumesNone, "no volume, the image's included", "Volumes", "files"},
		{VolumesFromNone, "no volume of another container", "VolumesFrom", "files"},
		{TmpfsNone, "no tmpfs asked for", "Tmpfs", "files"},
		{CapabilitiesDropped, "every capability dropped", "CapDrop", "privilege"},
		{CapabilitiesNotAdded, "no capability added", "CapAdd", "privilege"},
		{NoNewPrivileges, "no privileges gained by exec", "NoNewPrivileges", "privilege"},
		{UserNonroot, "a numeric user and group, not root", "User", "privilege"},
		{GroupsNone, "no supplementary group", "Groups", "privilege"},
		{LogNone, "output kept nowhere", "Log", "logs"},
		{RestartNone, "never started again", "Restart", "lifecycle"},
		{CoreZero, "no core, in a file or through a pipe", "Core", "kernel"},
		{PidsLimit, "few processes", "Pids", "resources"},
		{MemoryLimit, "little memory", "Memory", "resources"},
		{SwapNone, "no swap beyond the memory limit", "Swap", "resources"},
		{OOMKill, "killed when out of memory", "OOMKillDisable", "resources"},
		{ShmDefault, "shared memory of the tier's size", "ShmSize", "files"},
		{IPCPrivate, "its own IPC namespace, not to be joined", "IPC", "process"},
		{PIDPrivate, "its own PID namespace", "PID", "process"},
		{UTSPrivate, "its own UTS namespace", "UTS", "process"},
		{UserNamespace, "the Engine's user namespace setting kept", "Userns", "privilege"},
		{CgroupPrivate, "its own cgroup namespace", "Cgroupns", "process"},
		{CgroupParentDefault, "cgroup where the Engine puts it", "CgroupParent", "process"},
		{DevicesNone, "no device", "Devices", "privilege"},
		{DeviceRulesNone, "no device cgroup rule", "DeviceRules", "privilege"},
		{PortsNone, "no port exposed or published", "Ports", "network"},
		{LinksNone, "no link to another container", "Links", "network"},
		{HostsNone, "no extra host name", "Hosts", "network"},
		{DNSNone, "no resolver setting", "DNS", "network"},
		{SysctlsNone, "no kernel setting", "Sysctls", "kernel"},
		{HealthcheckNone, "no command run by the Engine", "Healthcheck", "lifecycle"},
		{PrivilegedOff, "not privileged", "Privileged", "privilege"},
		{RuntimeDefault, "the default runtime", "Runtime", "kernel"},
		{InitOff, "no extra init process", "Init", "process"},
		{SeccompDefault, "the Engine's default seccomp filter, or the tier's own", "Seccomp", "kernel"},
		{LSMDefault, "the Engine's default security labels", "LSM", "privilege"},
		{PathsMasked, "the default paths masked", "MaskedPaths", "kernel"},
		{PathsReadonly, "the default paths read-only", "ReadonlyPaths", "kernel"},
		{AutoremoveOff, "evidence kept when it exits", "AutoRemove", "lifecycle"},
		{TTYOff, "no terminal, which would echo", "TTY", "process"},
		{MountPrivate, "its own mount namespace", "", "files"},
		{ImageImmutable, "image named by its digest, nothing declared in it", "", "lifecycle"},
		{Unrecognised, "nothing that is not understood", "", "request"},
		{CommandImage, "the image's own command", "Command", "process"},
		{EnvNone, "no variable in its environment", "Env", "process"},
		{WorkDirRoot, "it begins in the root directory", "WorkDir", "files"},
		{HostnameDefault, "the host name that the Engine gives it", "Hostname", "network"},
		{StopDefault, "stopped in the Engine's way", "Stop", "lifecycle"},
		{UlimitsExact, "the process limits of the tier, and no other", "Ulimits", "resources"},
		{OOMScoreZero, "first to be killed as any other", "OOMScore", "resources"},
		{CPUExact, "the CPU time of the tier, no weight, no set", "CPU", "resources"},
		{MountsNone, "no mount of any kind asked for", "Mounts", "files"},
		{NetworksNone, "no further network", "Networks", "network"},
		{ExtraNone, "nothing else asked of the Engine", "Extra", "request"},
		{ExecNone, "no process beside the agent's", "", "process"},
		{Unchanged, "neither paused nor changed while it runs", "", "lifecycle"},
	}
}

func hostControls() []ControlInfo {
	return []ControlInfo{
		{HostNativeLinux, "Linux itself, no virtual machine of a desktop", "", "host"},
		{HostEngineKernel, "the Engine runs on this kernel", "", "host"},
		{HostEngineSeccomp, "the Engine filters system calls by default", "", "host"},
		{HostLocalSocket, "the Engine's own unix socket", "", "host"},
		{HostSocketPeer, "the Engine itself answers there", "", "host"},
		{HostCorePattern, "core dumps go to a file", "", "host"},
		{HostCoreLimit, "this process leaves no core", "", "host"},
	}
}
