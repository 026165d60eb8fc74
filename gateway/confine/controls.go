package confine

// ControlInfo describes a control for people and for meta-tests.
type ControlInfo struct {
	ID    Control
	Title string // what it takes away, a few words
	Field string // the field of Profile that holds it; "" if no profile can weaken it
	Group string // controls that may be redundant with each other; "" for none
}

// Controls lists every control there is, profile first, then host.
func Controls() []ControlInfo {
	return []ControlInfo{
		{NetworkNone, "no network but an empty loopback", "Network", ""},
		{RootReadonly, "root file system read-only", "ReadonlyRoot", ""},
		{BindsNone, "no directory of the host", "Binds", ""},
		{VolumesNone, "no volume, the image's included", "Volumes", ""},
		{VolumesFromNone, "no volume of another container", "VolumesFrom", ""},
		{TmpfsNone, "no tmpfs asked for", "Tmpfs", ""},
		{CapabilitiesDropped, "every capability dropped", "CapDrop", ""},
		{CapabilitiesNotAdded, "no capability added", "CapAdd", ""},
		{NoNewPrivileges, "no privileges gained by exec", "NoNewPrivileges", ""},
		{UserNonroot, "a numeric user and group, not root", "User", ""},
		{GroupsNone, "no supplementary group", "Groups", ""},
		{LogNone, "output kept nowhere", "Log", ""},
		{RestartNone, "never started again", "Restart", ""},
		{CoreZero, "no core file", "Core", ""},
		{PidsLimit, "few processes", "Pids", ""},
		{MemoryLimit, "little memory", "Memory", ""},
		{SwapNone, "no swap beyond the memory limit", "Swap", ""},
		{OOMKill, "killed when out of memory", "OOMKillDisable", ""},
		{ShmDefault, "shared memory of the usual size", "ShmSize", ""},
		{IPCPrivate, "its own IPC namespace, not to be joined", "IPC", ""},
		{PIDPrivate, "its own PID namespace", "PID", ""},
		{UTSPrivate, "its own UTS namespace", "UTS", ""},
		{UserNamespace, "the Engine's user namespace setting kept", "Userns", ""},
		{CgroupPrivate, "its own cgroup namespace", "Cgroupns", ""},
		{CgroupParentDefault, "cgroup where the Engine puts it", "CgroupParent", ""},
		{DevicesNone, "no device", "Devices", ""},
		{DeviceRulesNone, "no device cgroup rule", "DeviceRules", ""},
		{PortsNone, "no port exposed or published", "Ports", ""},
		{LinksNone, "no link to another container", "Links", ""},
		{HostsNone, "no extra host name", "Hosts", ""},
		{DNSNone, "no resolver setting", "DNS", ""},
		{SysctlsNone, "no kernel setting", "Sysctls", ""},
		{HealthcheckNone, "no command run by the Engine", "Healthcheck", ""},
		{PrivilegedOff, "not privileged", "Privileged", ""},
		{RuntimeDefault, "the default runtime", "Runtime", ""},
		{InitOff, "no extra init process", "Init", ""},
		{SeccompDefault, "the Engine's default seccomp filter", "Seccomp", ""},
		{LSMDefault, "the Engine's default security labels", "LSM", ""},
		{PathsMasked, "the default paths masked", "MaskedPaths", ""},
		{PathsReadonly, "the default paths read-only", "ReadonlyPaths", ""},
		{AutoremoveOff, "evidence kept when it exits", "AutoRemove", ""},
		{TTYOff, "no terminal, which would echo", "TTY", ""},
		{MountPrivate, "its own mount namespace", "", ""},
		{ImageImmutable, "image named by its digest, nothing declared in it", "", ""},
		{Unrecognised, "nothing that is not understood", "", ""},
		{HostNativeLinux, "Linux itself, no virtual machine of a desktop", "", ""},
		{HostEngineKernel, "the Engine runs on this kernel", "", ""},
		{HostEngineSeccomp, "the Engine filters system calls by default", "", ""},
		{HostLocalSocket, "the Engine's own unix socket", "", ""},
		{HostSocketPeer, "the Engine itself answers there", "", ""},
		{HostCorePattern, "core dumps go to a file", "", ""},
		{HostCoreLimit, "this process leaves no core", "", ""},
	}
}
