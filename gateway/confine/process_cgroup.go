package confine

import (
	"slices"
	"strconv"
	"strings"
)

// cgroupFiles are the files of a container's own cgroup that are looked at, by
// the controller that they belong to. Version 2 has one directory for all.
func cgroupFiles(version int) map[string][]string {
	if version == 2 {
		return map[string][]string{"": {
			"pids.max", "memory.max", "memory.swap.max", "memory.low", "cpu.max", "cpu.weight", "cpuset.cpus", "cpuset.mems", "io.max",
		}}
	}
	return map[string][]string{
		"pids":    {"pids.max"},
		"memory":  {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control", "memory.soft_limit_in_bytes", "memory.swappiness"},
		"cpu":     {"cpu.shares", "cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.rt_runtime_us"},
		"cpuset":  {"cpuset.cpus", "cpuset.mems"},
		"blkio":   {"blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device", "blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device"},
		"devices": {"devices.list"},
	}
}

// cgroupVersion reads /proc/<pid>/cgroup: version 2 has one line, "0::path".
func cgroupVersion(cgroup string) int {
	if strings.HasPrefix(cgroup, "0::") {
		return 2
	}
	return 1
}

// weakCgroup compares what the kernel limits with the profile. A file that
// could not be read is not there, and refuses the control that it is for.
func weakCgroup(want Profile, p Process) []Control {
	var weak []Control
	require := func(c Control, ok bool) {
		if !ok {
			weak = append(weak, c)
		}
	}
	file := func(name string) string { return strings.TrimSpace(p.CgroupFiles[name]) }
	has := func(name, value string) bool { return file(name) == value }
	asParent := func(name string) bool {
		return file(name) != "" && file(name) == strings.TrimSpace(p.ParentCgroupFiles[name])
	}
	require(PidsLimit, has("pids.max", strconv.FormatInt(want.Pids, 10)))
	if cgroupVersion(p.Cgroup) == 2 {
		require(MemoryLimit, pages(file("memory.max"), want.Memory))
		require(SwapNone, has("memory.swap.max", "0"))
		require(ExtraNone, absentOr(p, "memory.low", "0") && absentOr(p, "io.max", ""))
		quota, period, _ := strings.Cut(file("cpu.max"), " ")
		require(CPUExact, cpuShare(quota, period, "max", want.CPU.Nano) && absentOr(p, "cpu.weight", "100") &&
			absentOr(p, "cpuset.cpus", "") && absentOr(p, "cpuset.mems", ""))
		return append(weak, weakNodes(p)...) // its rules are a program that cannot be read
	}
	require(MemoryLimit, pages(file("memory.limit_in_bytes"), want.Memory))
	require(SwapNone, file("memory.memsw.limit_in_bytes") != "" && has("memory.memsw.limit_in_bytes", file("memory.limit_in_bytes")))
	require(OOMKill, slices.Contains(strings.Split(file("memory.oom_control"), "\n"), "oom_kill_disable 0"))
	require(ExtraNone, has("memory.soft_limit_in_bytes", noLimit) && asParent("memory.swappiness"))
	for _, name := range cgroupFiles(1)["blkio"] {
		throttled, read := p.CgroupFiles[name]
		require(ExtraNone, read && strings.TrimSpace(throttled) == "")
	}
	require(CPUExact, has("cpu.shares", "1024") && cpuShare(file("cpu.cfs_quota_us"), file("cpu.cfs_period_us"), "-1", want.CPU.Nano) &&
		absentOr(p, "cpu.rt_runtime_us", "0") && asParent("cpuset.cpus") && asParent("cpuset.mems"))
	return append(weak, weakDevices(p)...)
}

// noLimit is the greatest multiple of a page, 4 KiB.
const noLimit = "9223372036854771712"

// absentOr allows a file that a kernel without that part does not have: what
// it would say cannot be set either.
func absentOr(p Process, name, value string) bool {
	text, read := p.CgroupFiles[name]
	return !read || strings.TrimSpace(text) == value
}

// pages allows a limit that the kernel rounded down to whole pages, of 64 KiB
// at most.
func pages(text string, want int64) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n <= want && want-n < 64<<10
}

// cpuShare wants no quota where nano is 0, and else that many billionths.
func cpuShare(quota, period, none string, nano int64) bool {
	if nano == 0 {
		return quota == none
	}
	q, err := strconv.ParseInt(quota, 10, 64)
	p, err2 := strconv.ParseInt(period, 10, 64)
	return err == nil && err2 == nil && p > 0 && q*1e9/p == nano
}

// weakDevices wants the rules that the Engine gives to all. A further rule with
// a node is a device.
func weakDevices(p Process) []Control {
	list, read := p.CgroupFiles["devices.list"]
	if !read || strings.TrimSpace(list) == "" {
		return []Control{DeviceRulesNone}
	}
	rules := strings.Split(strings.TrimSpace(list), "\n")
	if slices.Contains(rules, "a *:* rwm") {
		return []Control{PrivilegedOff}
	}
	var weak []Control
	for _, rule := range rules {
		number := rule[:max(0, strings.LastIndex(rule, " "))]
		switch {
		case slices.Contains(engineRules(), rule):
		case slices.Contains(p.Nodes, number):
			weak = append(weak, DevicesNone)
		default:
			weak = append(weak, DeviceRulesNone)
		}
	}
	return append(weak, weakNodes(p)...)
}

// weakNodes wants the device nodes that the Engine makes for all.
func weakNodes(p Process) []Control {
	var weak []Control
	for _, node := range p.Nodes {
		switch {
		case slices.Contains(engineNodes(), node):
		case strings.HasPrefix(node, "c 136:"):
			weak = append(weak, TTYOff) // the console
		default:
			weak = append(weak, DevicesNone)
		}
	}
	return weak
}

// engineRules are the defaults of Engine 20.10 and runc 1.1: any node may be
// made, a few may be used.
func engineRules() []string {
	return []string{
		"b *:* m", "c *:* m", "c 1:3 rwm", "c 1:5 rwm", "c 1:7 rwm", "c 1:8 rwm", "c 1:9 rwm",
		"c 5:0 rwm", "c 5:1 rwm", "c 5:2 rwm", "c 10:200 rwm", "c 136:* rwm",
	}
}

// engineNodes are null, zero, full, random, urandom and tty.
func engineNodes() []string {
	return []string{"c 1:3", "c 1:5", "c 1:7", "c 1:8", "c 1:9", "c 5:0"}
}
