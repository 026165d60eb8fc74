package docker

import (
	"slices"
	"strings"
	"sync"

	"postern/gateway/confine"
)

// Field is one thing that a create request can say: the control for which a
// container that has it otherwise is refused, or the reason why it cannot
// weaken. Lists and maps are looked through.
type Field struct {
	Path    string // by the names in its JSON: "HostConfig.Mounts.BindOptions.Propagation"
	Control confine.Control
	Why     string // where there is no control
}

// Fields classifies every field of the Engine's create request. A client that
// has one more fails the tests until somebody says here whose it is.
func Fields() []Field { return slices.Clone(fields()) }

// fields is made once and never changed.
var fields = sync.OnceValue(func() []Field {
	var all []Field
	own := func(c confine.Control, under string, names ...string) {
		for _, n := range names {
			all = append(all, Field{Path: under + n, Control: c})
		}
	}
	harmless := func(why, under string, names ...string) {
		for _, n := range names {
			all = append(all, Field{Path: under + n, Why: why})
		}
	}
	configFields(own, harmless)
	hostFields(own)
	resourceFields(own)
	mountFields(own)
	endpointFields(own, harmless)
	return all
})

// OwnerOf is the control for which admission refuses a container whose request
// had this field of Profile.Extra otherwise.
func OwnerOf(path string) (c confine.Control, ok bool) {
	for _, f := range fields() {
		if f.Control != "" && (f.Path == path || strings.HasPrefix(f.Path, path+".")) {
			return f.Control, true
		}
	}
	return "", false
}

type classify = func(c confine.Control, under string, names ...string)

func configFields(own classify, harmless func(why, under string, names ...string)) {
	const c = "Config."
	own(confine.HostnameDefault, c, "Hostname", "Domainname")
	own(confine.UserNonroot, c, "User")
	own(confine.ExtraNone, c, "AttachStdin", "AttachStdout", "AttachStderr", "OpenStdin", "StdinOnce")
	own(confine.ExtraNone, c, "NetworkDisabled", "OnBuild", "Shell", "ArgsEscaped")
	own(confine.PortsNone, c, "ExposedPorts")
	own(confine.TTYOff, c, "Tty")
	own(confine.EnvNone, c, "Env")
	own(confine.CommandImage, c, "Cmd", "Entrypoint")
	own(confine.HealthcheckNone, c+"Healthcheck.", "Test", "Interval", "Timeout", "StartPeriod", "StartInterval", "Retries")
	own(confine.ImageImmutable, c, "Image")
	own(confine.VolumesNone, c, "Volumes")
	own(confine.WorkDirRoot, c, "WorkingDir")
	own(confine.NetworkNone, c, "MacAddress")
	own(confine.StopDefault, c, "StopSignal", "StopTimeout")
	harmless("the caller's own words, an argument of Render; the agent does not see them", c, "Labels")
}

func hostFields(own classify) {
	const h = "HostConfig."
	own(confine.BindsNone, h, "Binds")
	own(confine.LogNone, h+"LogConfig.", "Type", "Config")
	own(confine.NetworkNone, h, "NetworkMode")
	own(confine.PortsNone, h, "PortBindings.HostIp", "PortBindings.HostPort", "PublishAllPorts")
	own(confine.RestartNone, h+"RestartPolicy.", "Name", "MaximumRetryCount")
	own(confine.AutoremoveOff, h, "AutoRemove")
	own(confine.VolumesNone, h, "VolumeDriver")
	own(confine.VolumesFromNone, h, "VolumesFrom")
	own(confine.TmpfsNone, h, "Tmpfs")
	own(confine.CapabilitiesNotAdded, h, "CapAdd")
	own(confine.CapabilitiesDropped, h, "CapDrop")
	own(confine.CgroupPrivate, h, "CgroupnsMode", "Cgroup")
	own(confine.DNSNone, h, "Dns", "DnsOptions", "DnsSearch")
	own(confine.HostsNone, h, "ExtraHosts")
	own(confine.GroupsNone, h, "GroupAdd")
	own(confine.IPCPrivate, h, "IpcMode")
	own(confine.LinksNone, h, "Links")
	own(confine.OOMScoreZero, h, "OomScoreAdj")
	own(confine.PIDPrivate, h, "PidMode")
	own(confine.PrivilegedOff, h, "Privileged")
	own(confine.RootReadonly, h, "ReadonlyRootfs")
	own(confine.LSMDefault, h, "SecurityOpt") // its entries are of three controls
	own(confine.UTSPrivate, h, "UTSMode")
	own(confine.UserNamespace, h, "UsernsMode")
	own(confine.ShmDefault, h, "ShmSize")
	own(confine.SysctlsNone, h, "Sysctls")
	own(confine.RuntimeDefault, h, "Runtime")
	own(confine.InitOff, h, "Init")
	own(confine.PathsMasked, h, "MaskedPaths")
	own(confine.PathsReadonly, h, "ReadonlyPaths")
	own(confine.ExtraNone, h, "ContainerIDFile", "ConsoleSize", "Annotations", "StorageOpt", "Isolation")
}

func resourceFields(own classify) {
	const h = "HostConfig."
	own(confine.CPUExact, h, "CpuShares", "NanoCpus", "CpuPeriod", "CpuQuota", "CpuRealtimePeriod", "CpuRealtimeRuntime", "CpusetCpus", "CpusetMems")
	own(confine.CgroupParentDefault, h, "CgroupParent")
	own(confine.ExtraNone, h, "BlkioWeight", "BlkioWeightDevice.Path", "BlkioWeightDevice.Weight")
	for _, throttle := range []string{"BlkioDeviceReadBps.", "BlkioDeviceWriteBps.", "BlkioDeviceReadIOps.", "BlkioDeviceWriteIOps."} {
		own(confine.ExtraNone, h+throttle, "Path", "Rate")
	}
	own(confine.DevicesNone, h+"Devices.", "PathOnHost", "PathInContainer", "CgroupPermissions")
	own(confine.DevicesNone, h+"DeviceRequests.", "Driver", "Count", "DeviceIDs", "Capabilities", "Options")
	own(confine.DeviceRulesNone, h, "DeviceCgroupRules")
	own(confine.MemoryLimit, h, "Memory")
	own(confine.SwapNone, h, "MemorySwap")
	own(confine.OOMKill, h, "OomKillDisable")
	own(confine.PidsLimit, h, "PidsLimit")
	own(confine.UlimitsExact, h+"Ulimits.", "Name", "Hard", "Soft") // the core's are CoreZero's
	own(confine.ExtraNone, h, "KernelMemory", "KernelMemoryTCP", "MemoryReservation", "MemorySwappiness")
	own(confine.ExtraNone, h, "CpuCount", "CpuPercent", "IOMaximumIOps", "IOMaximumBandwidth") // Windows
}

func mountFields(own classify) {
	const m = "HostConfig.Mounts."
	own(confine.MountsNone, m, "Type", "Source", "Target", "ReadOnly", "Consistency", "ClusterOptions", "ImageOptions.Subpath")
	own(confine.MountsNone, m+"BindOptions.", "Propagation", "NonRecursive", "CreateMountpoint", "ReadOnlyNonRecursive", "ReadOnlyForceRecursive")
	own(confine.MountsNone, m+"VolumeOptions.", "NoCopy", "Labels", "Subpath", "DriverConfig.Name", "DriverConfig.Options")
	own(confine.MountsNone, m+"TmpfsOptions.", "SizeBytes", "Mode", "Options")
}

func endpointFields(own classify, harmless func(why, under string, names ...string)) {
	const e = "NetworkingConfig.EndpointsConfig." // a key of it that is another network is NetworksNone's besides
	own(confine.NetworkNone, e, "Links", "Aliases", "MacAddress", "DriverOpts", "GwPriority", "DNSNames")
	own(confine.NetworkNone, e+"IPAMConfig.", "IPv4Address", "IPv6Address", "LinkLocalIPs")
	harmless("what the Engine says of a running container; a request that has it is not listened to", e,
		"NetworkID", "EndpointID", "Gateway", "IPAddress", "IPPrefixLen", "IPv6Gateway", "GlobalIPv6Address", "GlobalIPv6PrefixLen")
}
