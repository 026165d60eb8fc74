// Package confine says how the agent is confined: a backend-neutral profile
// with one field for each control, and the decisions about it.
//
// It promises that every decision here is a pure function of a plain value
// (Preflight, Weaknesses, AdmitProcess), that what is missing counts against
// the subject, and that a refusal names the control that was found weak, and
// nothing else: no text of the agent or of the machine.
//
// It does not start anything. The packages below render the profile for one
// backend and compare what that backend made of it.
package confine

import (
	"cmp"
	"slices"
)

// Control is one restriction. Its id is permanent: evidence and mutants name it.
type Control string

// Controls of the profile.
const (
	NetworkNone          Control = "profile.network-none"
	RootReadonly         Control = "profile.root-readonly"
	BindsNone            Control = "profile.binds-none"
	VolumesNone          Control = "profile.volumes-none"
	VolumesFromNone      Control = "profile.volumes-from-none"
	TmpfsNone            Control = "profile.tmpfs-none"
	CapabilitiesDropped  Control = "profile.capabilities-dropped"
	CapabilitiesNotAdded Control = "profile.capabilities-not-added"
	NoNewPrivileges      Control = "profile.no-new-privileges"
	UserNonroot          Control = "profile.user-nonroot"
	GroupsNone           Control = "profile.groups-none"
	LogNone              Control = "profile.log-none"
	RestartNone          Control = "profile.restart-none"
	CoreZero             Control = "profile.core-zero"
	PidsLimit            Control = "profile.pids-limit"
	MemoryLimit          Control = "profile.memory-limit"
	SwapNone             Control = "profile.swap-none"
	OOMKill              Control = "profile.oom-kill"
	ShmDefault           Control = "profile.shm-default"
	IPCPrivate           Control = "profile.ipc-private"
	PIDPrivate           Control = "profile.pid-private"
	UTSPrivate           Control = "profile.uts-private"
	UserNamespace        Control = "profile.user-namespace"
	CgroupPrivate        Control = "profile.cgroup-private"
	CgroupParentDefault  Control = "profile.cgroup-parent-default"
	DevicesNone          Control = "profile.devices-none"
	DeviceRulesNone      Control = "profile.device-rules-none"
	PortsNone            Control = "profile.ports-none"
	LinksNone            Control = "profile.links-none"
	HostsNone            Control = "profile.hosts-none"
	DNSNone              Control = "profile.dns-none"
	SysctlsNone          Control = "profile.sysctls-none"
	HealthcheckNone      Control = "profile.healthcheck-none"
	PrivilegedOff        Control = "profile.privileged-off"
	RuntimeDefault       Control = "profile.runtime-default"
	InitOff              Control = "profile.init-off"
	SeccompDefault       Control = "profile.seccomp-default"
	LSMDefault           Control = "profile.lsm-default"
	PathsMasked          Control = "profile.paths-masked"
	PathsReadonly        Control = "profile.paths-readonly"
	AutoremoveOff        Control = "profile.autoremove-off"
	TTYOff               Control = "profile.tty-off"
	MountPrivate         Control = "profile.mount-private"
	ImageImmutable       Control = "profile.image-immutable"
	Unrecognised         Control = "profile.unrecognised"
	CommandImage         Control = "profile.command-image"
	EnvNone              Control = "profile.env-none"
	WorkDirRoot          Control = "profile.workdir-root"
	HostnameDefault      Control = "profile.hostname-default"
	StopDefault          Control = "profile.stop-default"
	UlimitsExact         Control = "profile.ulimits-exact"
	OOMScoreZero         Control = "profile.oom-score-zero"
	CPUExact             Control = "profile.cpu-exact"
	MountsNone           Control = "profile.mounts-none"
	NetworksNone         Control = "profile.networks-none"
	ExtraNone            Control = "profile.extra-none"
	ExecNone             Control = "profile.exec-none"
	Unchanged            Control = "profile.unchanged"
)

// Controls of the host, looked at before anything is created.
const (
	HostNativeLinux   Control = "host.native-linux"
	HostEngineKernel  Control = "host.engine-kernel"
	HostEngineSeccomp Control = "host.engine-seccomp"
	HostLocalSocket   Control = "host.local-socket"
	HostSocketPeer    Control = "host.socket-peer"
	HostCorePattern   Control = "host.core-pattern"
	HostCoreLimit     Control = "host.core-limit"
)

// Stage is when a control was found weak.
type Stage string

const (
	StageHost    Stage = "host"    // before anything was created
	StageImage   Stage = "image"   // the image that would be used
	StageCreated Stage = "created" // created, not yet started
	StageStarted Stage = "started" // running, before the first frame
	StageEnded   Stage = "ended"   // after the exchange, before the removal
)

// Refusal says that a control is not in place, or could not be seen to be.
type Refusal struct {
	Control Control
	Stage   Stage
}

// Refuse makes the refusals of one stage, each control once, in the order of
// their ids. No control gives nil.
func Refuse(s Stage, weak []Control) []Refusal {
	sorted := slices.Clone(weak)
	slices.Sort(sorted)
	var out []Refusal
	for _, c := range slices.Compact(sorted) {
		out = append(out, Refusal{Control: c, Stage: s})
	}
	return out
}

// Merge joins the refusals of several looks: by control, then stage, each once.
func Merge(looks ...[]Refusal) []Refusal {
	all := slices.Concat(looks...)
	slices.SortFunc(all, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(a.Control, b.Control), cmp.Compare(a.Stage, b.Stage))
	})
	return slices.Compact(all)
}
