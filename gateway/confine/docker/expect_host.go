package docker

import (
	"slices"
	"strings"

	"postern/gateway/confine"

	"github.com/go-json-experiment/json/jsontext"
)

// hostExpectations are HostConfig without its resources.
func hostExpectations() []expectation {
	extra := confine.ExtraNone
	return []expectation{
		{path: "HostConfig.Binds", control: confine.BindsNone, allows: none(fromHost)},
		{path: "HostConfig.Binds", control: confine.VolumesNone, allows: none(fromVolume)},
		{path: "HostConfig.ContainerIDFile", control: extra, allows: is(`""`)},
		{path: "HostConfig.LogConfig.Type", control: confine.LogNone, allows: is(`"none"`)},
		{path: "HostConfig.LogConfig.Config", control: confine.LogNone, allows: empty()},
		{path: "HostConfig.NetworkMode", control: confine.NetworkNone, allows: is(`"none"`)},
		{path: "HostConfig.PortBindings", control: confine.PortsNone, allows: empty()},
		{path: "HostConfig.RestartPolicy.Name", control: confine.RestartNone, allows: is(`"no"`)},
		{path: "HostConfig.RestartPolicy.MaximumRetryCount", control: confine.RestartNone, allows: is(`0`)},
		{path: "HostConfig.AutoRemove", control: confine.AutoremoveOff, allows: is(`false`)},
		{path: "HostConfig.VolumeDriver", control: confine.VolumesNone, allows: is(`""`)},
		{path: "HostConfig.VolumesFrom", control: confine.VolumesFromNone, allows: empty()},
		{path: "HostConfig.Mounts", control: confine.MountsNone, allows: empty(), optional: true},
		{path: "HostConfig.Tmpfs", control: confine.TmpfsNone, allows: empty(), optional: true},
		{path: "HostConfig.StorageOpt", control: extra, allows: empty(), optional: true},
		{path: "HostConfig.Annotations", control: extra, allows: empty(), optional: true}, // Engine 24
		{path: "HostConfig.ConsoleSize", control: extra, allows: is(`[0,0]`)},
		{path: "HostConfig.Isolation", control: extra, allows: is(`""`)},

		{path: "HostConfig.CapAdd", control: confine.CapabilitiesNotAdded, allows: empty()},
		{path: "HostConfig.CapDrop", control: confine.CapabilitiesDropped, allows: is(`["ALL"]`)},
		{path: "HostConfig.GroupAdd", control: confine.GroupsNone, allows: empty()},
		{path: "HostConfig.Privileged", control: confine.PrivilegedOff, allows: is(`false`)},
		{path: "HostConfig.ReadonlyRootfs", control: confine.RootReadonly, allows: is(`true`)},
		{path: "HostConfig.SecurityOpt", control: confine.NoNewPrivileges, allows: onlyOnceNoNewPrivileges()},
		{path: "HostConfig.SecurityOpt", control: confine.SeccompDefault, allows: filterOfTheTier()},
		{path: "HostConfig.SecurityOpt", control: confine.LSMDefault, allows: none(aboutLabels)},
		{path: "HostConfig.Sysctls", control: confine.SysctlsNone, allows: empty(), optional: true},
		{path: "HostConfig.Runtime", control: confine.RuntimeDefault, allows: is(`"runc"`)},
		{path: "HostConfig.Init", control: confine.InitOff, allows: is(`null`, `false`), optional: true},
		// Later Engines mask more; none masks less.
		{path: "HostConfig.MaskedPaths", control: confine.PathsMasked, allows: includes(maskedPaths()...)},
		{path: "HostConfig.ReadonlyPaths", control: confine.PathsReadonly, allows: includes(readonlyPaths()...)},

		{path: "HostConfig.Dns", control: confine.DNSNone, allows: empty()},
		{path: "HostConfig.DnsOptions", control: confine.DNSNone, allows: empty()},
		{path: "HostConfig.DnsSearch", control: confine.DNSNone, allows: empty()},
		{path: "HostConfig.ExtraHosts", control: confine.HostsNone, allows: empty()},
		{path: "HostConfig.Links", control: confine.LinksNone, allows: empty()},
		{path: "HostConfig.PublishAllPorts", control: confine.PortsNone, allows: is(`false`)},

		{path: "HostConfig.IpcMode", control: confine.IPCPrivate, allows: is(`"private"`)},
		{path: "HostConfig.PidMode", control: confine.PIDPrivate, allows: is(`""`)},
		{path: "HostConfig.UTSMode", control: confine.UTSPrivate, allows: is(`""`)},
		{path: "HostConfig.UsernsMode", control: confine.UserNamespace, allows: is(`""`)},
		{path: "HostConfig.CgroupnsMode", control: confine.CgroupPrivate, allows: is(`"private"`)},
		{path: "HostConfig.Cgroup", control: confine.CgroupPrivate, allows: is(`""`)},
	}
}

// fromHost and fromVolume split what the Engine lists as binds: a source that
// is a path of the host's, or the name of a volume.
func fromHost(bind string) bool   { return strings.HasPrefix(bind, "/") }
func fromVolume(bind string) bool { return !fromHost(bind) }

const noNewPrivileges = "no-new-privileges"

func aboutPrivileges(option string) bool { return strings.HasPrefix(option, noNewPrivileges) }
func aboutSeccomp(option string) bool    { return strings.HasPrefix(option, "seccomp") }
func aboutLabels(option string) bool     { return !aboutPrivileges(option) && !aboutSeccomp(option) }

// onlyOnceNoNewPrivileges wants the option in the form that we send and no
// other word about it: of two, the last one wins.
func onlyOnceNoNewPrivileges() allow {
	return func(v jsontext.Value, _ *account) bool {
		entries, ok := list(v)
		about := slices.DeleteFunc(entries, func(s string) bool { return !aboutPrivileges(s) })
		return ok && slices.Equal(about, []string{noNewPrivileges})
	}
}

// filterOfTheTier wants no word about the filter, which is the Engine's then,
// or in the hardened tier one filter of ours, whatever it refuses: each of its
// groups is another control's.
func filterOfTheTier() allow {
	return func(v jsontext.Value, a *account) bool {
		if a.want.Deny == (confine.Deny{}) {
			return none(aboutSeccomp)(v, a)
		}
		_, ok := a.filter()
		return ok
	}
}

// denyExpectations are the groups that the filter refuses. A filter that is
// none of ours is SeccompDefault's and says nothing about them.
func denyExpectations() []expectation {
	var all []expectation
	var any confine.Deny
	for i, g := range any.Groups() {
		all = append(all, expectation{path: "HostConfig.SecurityOpt", control: g.Control, allows: func(_ jsontext.Value, a *account) bool {
			has, ours := a.filter()
			want := a.want.Deny
			return !ours || *has.Groups()[i].On || !*want.Groups()[i].On
		}})
	}
	return all
}

// filter is the one filter of ours among the security options, read once for
// all its groups.
func (a *account) filter() (confine.Deny, bool) {
	if a.ours == nil {
		d, ok := filterIn(a.values["HostConfig.SecurityOpt"])
		a.ours = &ownFilter{d, ok}
	}
	return a.ours.refuses, a.ours.ok
}

type ownFilter struct {
	refuses confine.Deny
	ok      bool
}

func filterIn(v jsontext.Value) (confine.Deny, bool) {
	entries, ok := list(v)
	about := slices.DeleteFunc(entries, func(s string) bool { return !aboutSeccomp(s) })
	if !ok || len(about) != 1 {
		return confine.Deny{}, false
	}
	text, ok := strings.CutPrefix(about[0], "seccomp=")
	if !ok {
		return confine.Deny{}, false
	}
	return readFilter(text)
}

// maskedPaths and readonlyPaths are the defaults of Engine 20.10
// (oci/defaults.go).
func maskedPaths() []string {
	return []string{
		"/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
		"/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware",
	}
}

func readonlyPaths() []string {
	return []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"}
}
