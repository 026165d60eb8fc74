package confine

import (
	"fmt"
	"strings"
)

// Process is what /proc says of the first process of a container.
type Process struct {
	Container string // full id of the container it should belong to
	Root      string // of a cell: its root directory on the host
	Status    string // /proc/<pid>/status
	Cgroup    string // /proc/<pid>/cgroup
	Limits    string // /proc/<pid>/limits
	Mounts    string // /proc/<pid>/mountinfo
	Routes    string // /proc/<pid>/net/route
	Routes6   string // /proc/<pid>/net/ipv6_route; empty where the kernel has no version 6
	OOMScore  string // /proc/<pid>/oom_score_adj

	Environment  string   // /proc/<pid>/environ
	ParentLimits string   // /proc/<pid of the one that started it>/limits
	Nodes        []string // device nodes in its /dev, "c 1:3"

	CgroupFiles       map[string]string // of its own cgroups; one that cannot be read is not there
	ParentCgroupFiles map[string]string // the same of the cgroups above

	Namespaces map[string]string   // "net" -> "net:[4026531833]"
	Host       map[string][]string // the same of this process and of the one that started it
}

// AdmitProcess compares what the kernel does to a running process with the
// profile: the second opinion beside the Engine's own account. A line that is
// not there counts as the worst. Reading an IPC namespace that others may
// join or sysctls is not possible from here.
func AdmitProcess(want Profile, p Process) []Refusal {
	weak := Weaknesses(want)
	weak = append(weak, weakStatus(want, fields(p.Status))...)
	weak = append(weak, weakNamespaces(p)...)
	weak = append(weak, weakMounts(p.Mounts)...)
	weak = append(weak, weakShm(want, p)...)
	weak = append(weak, weakLimits(want, p.Limits, p.ParentLimits)...)
	weak = append(weak, weakCgroup(want, p)...)
	weak = append(weak, weakRoutes(p)...)
	weak = append(weak, weakEnvironment(p)...)
	if strings.TrimSpace(p.OOMScore) != "0" {
		weak = append(weak, OOMScoreZero)
	}
	if !inOwnCgroup(p.Cgroup, p.Container) {
		weak = append(weak, CgroupParentDefault)
	}
	return Refuse(StageStarted, weak)
}

// fields reads "Name:\tvalue" lines. A name that occurs twice is no value:
// the kernel never writes that.
func fields(status string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(status) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if _, twice := out[name]; twice || !ok {
			out[name] = "malformed"
			continue
		}
		out[name] = strings.Join(strings.Fields(value), " ")
	}
	return out
}

func weakStatus(want Profile, f map[string]string) []Control {
	var weak []Control
	require := func(c Control, ok bool) {
		if !ok {
			weak = append(weak, c)
		}
	}
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		require(CapabilitiesDropped, f[set] != "" && strings.Trim(f[set], "0") == "")
	}
	require(NoNewPrivileges, f["NoNewPrivs"] == "1")
	require(SeccompDefault, f["Seccomp"] == "2" && f["Seccomp_filters"] == "1") // 2 is a filter, see seccomp(2)
	uid, gid, err := NumericUser(want.User)
	require(UserNonroot, err == nil && f["Uid"] == four(uid) && f["Gid"] == four(gid))
	groups, seen := f["Groups"]
	require(GroupsNone, seen && (groups == "" || groups == fmt.Sprint(gid)))
	return weak
}

// four is an id as status shows it: real, effective, saved and file system.
func four(id uint32) string { return fmt.Sprintf("%d %d %d %d", id, id, id, id) }

// inOwnCgroup wants every hierarchy to end at the container's own cgroup, in
// the place where the Engine puts it: cgroupfs or systemd driver.
func inOwnCgroup(cgroup, id string) bool {
	if id == "" || cgroup == "" {
		return false
	}
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			return false
		}
		switch parts[2] {
		case "/docker/" + id, "/system.slice/docker-" + id + ".scope":
		default:
			return false
		}
	}
	return true
}

// weakNamespaces wants every namespace of the container's to be none of the
// host's. A user namespace is the Engine's setting and not compared.
func weakNamespaces(p Process) []Control {
	var weak []Control
	for kind, control := range namespaces() {
		own, host := p.Namespaces[kind], p.Host[kind]
		shared := own == "" || len(host) == 0
		for _, h := range host {
			shared = shared || h == "" || h == own
		}
		if shared {
			weak = append(weak, control)
		}
	}
	return weak
}

func namespaces() map[string]Control {
	return map[string]Control{
		"net": NetworkNone, "pid": PIDPrivate, "ipc": IPCPrivate,
		"uts": UTSPrivate, "mnt": MountPrivate, "cgroup": CgroupPrivate,
	}
}
