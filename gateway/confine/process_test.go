package confine

import (
	"slices"
	"strings"
	"testing"
)

func container() string { return strings.Repeat("0a", 32) }

// goodProcess is what this kind of machine says of a strict container's first
// process, cgroup v1, lines that are not looked at left out.
func goodProcess() Process {
	id := container()
	p := Process{
		Container: id,
		Status: "Name:\tagent\nPPid:\t10106\nUid:\t10001\t10001\t10001\t10001\nGid:\t10001\t10001\t10001\t10001\n" +
			"Groups:\t10001 \nCapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n" +
			"CapBnd:\t0000000000000000\nCapAmb:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n",
		Cgroup:       "8:pids:/docker/" + id + "\n4:memory:/docker/" + id + "\n0::/docker/" + id + "\n",
		Limits:       limitsTable("0                    0        "),
		ParentLimits: limitsTable("0                    unlimited"),
		Routes:       "Iface\tDestination\tGateway\n",
		Routes6:      "00000000000000000000000000000000 00 0 00 0 ffffffff 00000001 00000000 00200200       lo\n",
		OOMScore:     "0\n",
		Environment:  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\x00HOSTNAME=" + id[:12] + "\x00HOME=/\x00",
		Nodes:        []string{"c 1:3", "c 1:5", "c 5:0"},
		CgroupFiles: map[string]string{
			"pids.max": "32\n", "memory.limit_in_bytes": "134217728\n", "memory.memsw.limit_in_bytes": "134217728\n",
			"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\n", "memory.soft_limit_in_bytes": noLimit + "\n", "memory.swappiness": "60\n",
			"cpu.shares": "1024\n", "cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n", "cpu.rt_runtime_us": "0\n",
			"cpuset.cpus": "0-1\n", "cpuset.mems": "0\n", "devices.list": "b *:* m\nc *:* m\nc 1:3 rwm\nc 136:* rwm\n",
			"blkio.throttle.read_bps_device": "", "blkio.throttle.write_bps_device": "", "blkio.throttle.read_iops_device": "", "blkio.throttle.write_iops_device": "",
		},
		ParentCgroupFiles: map[string]string{"cpuset.cpus": "0-1\n", "cpuset.mems": "0\n", "memory.swappiness": "60\n"},
		Mounts: "69 45 0:39 / / ro,noatime master:2 - fuse.fuse-overlayfs fuse-overlayfs rw\n" +
			"70 69 0:41 / /proc rw,nosuid - proc proc rw\n71 69 0:42 / /dev rw,nosuid - tmpfs tmpfs rw\n" +
			"85 71 0:46 / /dev/shm rw,nosuid - tmpfs shm rw,size=65536k\n75 74 0:29 /docker/x /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n" +
			"86 69 254:0 /x/hosts /etc/hosts ro,relatime - ext4 /dev/vda rw\n49 70 0:41 /sys /proc/sys ro,nosuid - proc proc rw\n" +
			"53 73 0:48 / /sys/firmware ro,relatime - tmpfs tmpfs ro\n",
		Namespaces: map[string]string{},
		Host:       map[string][]string{},
	}
	for kind := range namespaces() {
		p.Namespaces[kind] = kind + ":[4026532182]"
		p.Host[kind] = []string{kind + ":[4026531833]", kind + ":[4026531834]"}
	}
	return p
}

// limitsTable is a table of limits with this line about cores.
func limitsTable(core string) string {
	out := "Limit                     Soft Limit           Hard Limit           Units     \n" +
		"Max core file size        " + core + "            bytes     \n"
	for _, name := range limitNames() {
		out += name + strings.Repeat(" ", 26-len(name)) + "100                  200                  units     \n"
	}
	return out
}

// onV2 makes a good process one of a host with cgroup version 2.
func onV2(p *Process) {
	p.Cgroup = "0::/system.slice/docker-" + container() + ".scope\n"
	p.CgroupFiles = map[string]string{
		"pids.max": "32\n", "memory.max": "134217728\n", "memory.swap.max": "0\n", "memory.low": "0\n",
		"cpu.max": "max 100000\n", "cpu.weight": "100\n", "cpuset.cpus": "\n", "cpuset.mems": "\n", "io.max": "",
	}
}

func TestAdmitProcess(t *testing.T) {
	status := func(old, new string) func(*Process) {
		return func(p *Process) { p.Status = strings.Replace(p.Status, old, new, 1) }
	}
	mounts := func(old, new string) func(*Process) {
		return func(p *Process) { p.Mounts = strings.Replace(p.Mounts, old, new, 1) }
	}
	one := func(c ...Control) []Control { return c }
	for _, c := range []struct {
		name   string
		change func(p *Process)
		want   []Control
	}{
		{"good", func(p *Process) {}, nil},
		{"no groups", status("Groups:\t10001 ", "Groups:\t"), nil},
		{"cgroup v2 with systemd", onV2, nil},
		{"nothing", func(p *Process) { *p = Process{} }, one(CapabilitiesDropped, CgroupParentDefault, CgroupPrivate, CoreZero,
			GroupsNone, IPCPrivate, MountPrivate, NetworkNone, NoNewPrivileges, PathsMasked, PathsReadonly, PIDPrivate, RootReadonly,
			SeccompDefault, UserNonroot, UTSPrivate, CPUExact, DeviceRulesNone, EnvNone, ExtraNone, MemoryLimit, OOMKill, OOMScoreZero,
			PidsLimit, SwapNone, UlimitsExact)},
		{"one inherited capability", status("CapInh:\t0", "CapInh:\t8"), one(CapabilitiesDropped)},
		{"one bounding capability", status("CapBnd:\t0", "CapBnd:\t2"), one(CapabilitiesDropped)},
		{"new privileges", status("NoNewPrivs:\t1", "NoNewPrivs:\t0"), one(NoNewPrivileges)},
		{"new privileges unknown", status("NoNewPrivs:\t1\n", ""), one(NoNewPrivileges)},
		{"new privileges twice", status("NoNewPrivs:\t1\n", "NoNewPrivs:\t1\nNoNewPrivs:\t1\n"), one(NoNewPrivileges)},
		{"strict seccomp", status("Seccomp:\t2", "Seccomp:\t1"), one(SeccompDefault)},
		{"seccomp off", status("Seccomp:\t2", "Seccomp:\t0"), one(SeccompDefault)},
		{"saved user root", status("Uid:\t10001\t10001\t10001", "Uid:\t10001\t10001\t0"), one(UserNonroot)},
		{"another user", status("Uid:\t10001\t10001\t10001\t10001", "Uid:\t7\t7\t7\t7"), one(UserNonroot)},
		{"group root", status("Gid:\t10001", "Gid:\t0"), one(UserNonroot)},
		{"another group besides", status("Groups:\t10001 ", "Groups:\t10001 999 "), one(GroupsNone)},
		{"groups unknown", status("Groups:\t10001 \n", ""), one(GroupsNone)},
		{"core limit", func(p *Process) {
			p.Limits = limitsTable("0                    unlimited")
		}, one(CoreZero)},
		{"another container's cgroup", func(p *Process) { p.Cgroup = "1:cpu:/docker/" + strings.Repeat("0b", 32) + "\n" }, one(CgroupParentDefault)},
		{"one hierarchy elsewhere", func(p *Process) { p.Cgroup += "1:cpu:/\n" }, one(CgroupParentDefault)},
		{"below its cgroup", func(p *Process) { p.Cgroup = "1:cpu:/docker/" + container() + "/x\n" }, one(CgroupParentDefault)},
		{"container unknown", func(p *Process) { p.Container, p.Cgroup = "", "1:cpu:/docker/\n" }, one(CgroupParentDefault, HostnameDefault)},
		{"root writable", mounts("/ / ro,", "/ / rw,"), one(RootReadonly)},
		{"root covered by a writable one", func(p *Process) { p.Mounts += "99 69 0:50 / / rw - overlay overlay rw\n" }, one(RootReadonly)},
		{"hosts writable", mounts("/etc/hosts ro", "/etc/hosts rw"), one(RootReadonly)},
		{"bind", func(p *Process) { p.Mounts += "99 69 254:0 /srv /in ro - ext4 /dev/vda rw\n" }, one(BindsNone)},
		{"bind in /dev", func(p *Process) { p.Mounts += "99 69 254:0 /srv /dev/in ro - ext4 /dev/vda rw\n" }, one(BindsNone)},
		{"tmpfs", func(p *Process) { p.Mounts += "99 69 0:50 / /t rw - tmpfs tmpfs rw\n" }, one(TmpfsNone)},
		{"a mount not understood", func(p *Process) { p.Mounts += "nonsense\n" }, one(Unrecognised)},
		{"settings writable", mounts("/proc/sys ro", "/proc/sys rw"), one(PathsReadonly)},
		{"nothing masked", mounts("/sys/firmware", "/sys/fs"), one(PathsMasked)},
	} {
		p := goodProcess()
		c.change(&p)
		if got := AdmitProcess(Reference(), p); !slices.Equal(got, Refuse(StageStarted, c.want)) {
			t.Errorf("%s: refused %v, want %v", c.name, got, c.want)
		}
	}
}

// Each line that is looked at counts when it is not there.
func TestAdmitProcessMissingLines(t *testing.T) {
	for i, line := range strings.SplitAfter(goodProcess().Status, "\n") {
		name, _, _ := strings.Cut(line, ":")
		p := goodProcess()
		p.Status = strings.Replace(p.Status, line, "", 1)
		ignored := slices.Contains([]string{"", "Name", "PPid"}, name)
		if got := AdmitProcess(Reference(), p); (got == nil) != ignored {
			t.Errorf("without status line %d (%s): %v", i, name, got)
		}
	}
}

func TestAdmitProcessNamespaces(t *testing.T) {
	for kind, control := range namespaces() {
		for name, change := range map[string]func(p *Process){
			"ours":                func(p *Process) { p.Namespaces[kind] = p.Host[kind][0] },
			"the Engine's":        func(p *Process) { p.Namespaces[kind] = p.Host[kind][1] },
			"unknown":             func(p *Process) { delete(p.Namespaces, kind) },
			"the host's unknown":  func(p *Process) { delete(p.Host, kind) },
			"one of host's blank": func(p *Process) { p.Host[kind][1] = "" },
		} {
			p := goodProcess()
			change(&p)
			if got := AdmitProcess(Reference(), p); !slices.Equal(got, Refuse(StageStarted, []Control{control})) {
				t.Errorf("%s namespace %s: refused %v, want %s", kind, name, got, control)
			}
		}
	}
}

func TestAdmitProcessRefusesWeakWishes(t *testing.T) {
	want := Reference()
	want.Network = "host"
	if got := AdmitProcess(want, goodProcess()); !slices.Equal(got, Refuse(StageStarted, []Control{NetworkNone})) {
		t.Errorf("a weak wish: %v", got)
	}
	want = Reference()
	want.User = "0:0"
	p := goodProcess()
	p.Status = strings.NewReplacer("Uid:\t10001\t10001\t10001\t10001", "Uid:\t0\t0\t0\t0", "Gid:\t10001\t10001\t10001\t10001", "Gid:\t0\t0\t0\t0").Replace(p.Status)
	if got := AdmitProcess(want, p); !slices.Contains(got, Refusal{UserNonroot, StageStarted}) {
		t.Errorf("root that was wished for: %v", got)
	}
}

func FuzzAdmitProcess(f *testing.F) {
	g := goodProcess()
	f.Add(g.Status, g.Cgroup, g.Limits, g.Mounts)
	f.Add("", ":::", "Max core file size", " - ")
	f.Fuzz(func(t *testing.T, status, cgroup, limits, mounts string) {
		p := goodProcess()
		p.Status, p.Cgroup, p.Limits, p.Mounts = status, cgroup, limits, mounts
		if AdmitProcess(Reference(), p) != nil {
			return
		}
		for _, must := range []string{"NoNewPrivs:", "Seccomp:", "CapBnd:", "10001"} {
			if !strings.Contains(status, must) {
				t.Errorf("admitted without %s", must)
			}
		}
		if !strings.Contains(cgroup, container()) || !strings.Contains(limits, "Max core file size") || !strings.Contains(mounts, " / ") {
			t.Error("admitted without a cgroup, a core limit or a root")
		}
	})
}
