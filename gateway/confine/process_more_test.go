package confine

import (
	"slices"
	"strings"
	"testing"
)

func TestAdmitProcessLimitsAndCgroups(t *testing.T) {
	file := func(name, text string) func(*Process) {
		return func(p *Process) { p.CgroupFiles[name] = text }
	}
	without := func(name string) func(*Process) { return func(p *Process) { delete(p.CgroupFiles, name) } }
	v2 := func(name, text string) func(*Process) {
		return func(p *Process) { onV2(p); p.CgroupFiles[name] = text }
	}
	env := func(old, new string) func(*Process) {
		return func(p *Process) { p.Environment = strings.Replace(p.Environment, old, new, 1) }
	}
	for _, c := range []struct {
		name   string
		change func(p *Process)
		want   Control // "" is none
	}{
		{"limits differ", func(p *Process) {
			p.Limits = strings.Replace(p.Limits, "Max processes             100 ", "Max processes             999 ", 1)
		}, UlimitsExact},
		{"files are more", func(p *Process) {
			p.Limits = strings.Replace(p.Limits, "Max open files            100                  200", "Max open files            100                  999", 1)
		}, UlimitsExact},
		{"a raised soft limit on files", func(p *Process) {
			p.Limits = strings.Replace(p.Limits, "Max open files            100", "Max open files            200", 1)
		}, ""},
		{"a limit is not there", func(p *Process) { p.Limits = strings.Replace(p.Limits, "Max file locks", "Max novelties", 1) }, UlimitsExact},
		{"one limit more", func(p *Process) {
			p.Limits += "Max novelties             1                    1                    units\n"
		}, Unrecognised},
		{"parent unknown", func(p *Process) { p.ParentLimits = "" }, UlimitsExact},
		{"pids without limit", file("pids.max", "max\n"), PidsLimit},
		{"pids unknown", without("pids.max"), PidsLimit},
		{"memory", func(p *Process) {
			p.CgroupFiles["memory.limit_in_bytes"], p.CgroupFiles["memory.memsw.limit_in_bytes"] = "268435456\n", "268435456\n"
		}, MemoryLimit},
		{"a page less", func(p *Process) {
			p.CgroupFiles["memory.limit_in_bytes"], p.CgroupFiles["memory.memsw.limit_in_bytes"] = "134213632", "134213632"
		}, ""},
		{"swap", file("memory.memsw.limit_in_bytes", noLimit), SwapNone},
		{"swap not counted", without("memory.memsw.limit_in_bytes"), SwapNone},
		{"not killed", file("memory.oom_control", "oom_kill_disable 1\nunder_oom 0\n"), OOMKill},
		{"soft limit", file("memory.soft_limit_in_bytes", "1\n"), ExtraNone},
		{"swappiness", file("memory.swappiness", "10\n"), ExtraNone},
		{"throttled", file("blkio.throttle.read_bps_device", "1:3 1048576\n"), ExtraNone},
		{"throttle unknown", without("blkio.throttle.read_bps_device"), ExtraNone},
		{"shares", file("cpu.shares", "2\n"), CPUExact},
		{"quota", file("cpu.cfs_quota_us", "50000\n"), CPUExact},
		{"real time", file("cpu.rt_runtime_us", "1000\n"), CPUExact},
		{"one CPU", file("cpuset.cpus", "0\n"), CPUExact},
		{"CPUs unknown", without("cpuset.cpus"), CPUExact},
		{"every device", file("devices.list", "a *:* rwm\n"), PrivilegedOff},
		{"a device rule", func(p *Process) { p.CgroupFiles["devices.list"] += "b 7:* rwm\n" }, DeviceRulesNone},
		{"a device", func(p *Process) { p.CgroupFiles["devices.list"] += "b 7:0 r\n"; p.Nodes = append(p.Nodes, "b 7:0") }, DevicesNone},
		{"a node", func(p *Process) { p.Nodes = append(p.Nodes, "b 7:0") }, DevicesNone},
		{"rules unknown", without("devices.list"), DeviceRulesNone},
		{"version 2: pids", v2("pids.max", "max"), PidsLimit},
		{"version 2: memory", v2("memory.max", "max"), MemoryLimit},
		{"version 2: swap", v2("memory.swap.max", "max"), SwapNone},
		{"version 2: quota", v2("cpu.max", "50000 100000"), CPUExact},
		{"version 2: weight", v2("cpu.weight", "10"), CPUExact},
		{"version 2: low", v2("memory.low", "1"), ExtraNone},
		{"version 2: io", v2("io.max", "1:3 rbps=1"), ExtraNone},
		{"version 2: no io controller", func(p *Process) { onV2(p); delete(p.CgroupFiles, "io.max") }, ""},
		{"version 2: a node", func(p *Process) { onV2(p); p.Nodes = append(p.Nodes, "b 7:0") }, DevicesNone},
		{"a route", func(p *Process) { p.Routes += "eth0\t00000000\n" }, NetworkNone},
		{"routes unknown", func(p *Process) { p.Routes = "" }, NetworkNone},
		{"a route of version 6", func(p *Process) { p.Routes6 += "00 00 eth0\n" }, NetworkNone},
		{"no version 6", func(p *Process) { p.Routes6 = "" }, ""},
		{"first to live", func(p *Process) { p.OOMScore = "-500\n" }, OOMScoreZero},
		{"a variable", func(p *Process) { p.Environment += "A=b\x00" }, EnvNone},
		{"another path", env("PATH=/usr", "PATH=/opt"), EnvNone},
		{"no home", env("HOME=/\x00", ""), EnvNone},
		{"another name", env("HOSTNAME=0", "HOSTNAME=1"), HostnameDefault},
		{"a terminal", func(p *Process) { p.Environment += "TERM=xterm\x00" }, TTYOff},
		{"a console", func(p *Process) { p.Nodes = append(p.Nodes, "c 136:0") }, TTYOff},
		{"large shared memory", func(p *Process) { p.Mounts = strings.Replace(p.Mounts, "size=65536k", "size=131072k", 1) }, ShmDefault},
		{"two filters", func(p *Process) {
			p.Status = strings.Replace(p.Status, "Seccomp_filters:\t1", "Seccomp_filters:\t2", 1)
		}, SeccompDefault},
		{"a volume", func(p *Process) { p.Mounts += "99 69 254:0 /var/lib/docker/volumes/x/_data /v rw - ext4 /dev/vda rw\n" }, VolumesNone},
		{"an init", func(p *Process) {
			p.Mounts += "99 69 254:0 /usr/bin/tini-static /sbin/docker-init ro - ext4 /dev/vda rw\n"
		}, InitOff},
		{"a part of the host's tmpfs", func(p *Process) { p.Mounts += "99 69 0:50 /x /t rw - tmpfs tmpfs rw\n" }, BindsNone},
	} {
		p := goodProcess()
		c.change(&p)
		var want []Refusal
		if c.want != "" {
			want = Refuse(StageStarted, []Control{c.want})
		}
		if got := AdmitProcess(Reference(), p); !slices.Equal(got, want) {
			t.Errorf("%s: refused %v, want %v", c.name, got, want)
		}
	}
}

// The hardened tier's limits are looked for, and the reference's then differ.
func TestAdmitProcessOfTheHardenedTier(t *testing.T) {
	p := goodProcess()
	got := AdmitProcess(Hardened(), p)
	want := Refuse(StageStarted, []Control{CoreZero, CPUExact, ShmDefault, UlimitsExact})
	if !slices.Equal(got, want) {
		t.Errorf("refused %v, want %v", got, want)
	}
}
