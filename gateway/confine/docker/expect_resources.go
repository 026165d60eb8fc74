package docker

import (
	"slices"
	"strconv"
	"strings"

	"postern/gateway/confine"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// resourceExpectations are the limits in HostConfig. Those that nobody asks
// for must be at rest: a weight or a quota is a clock that others can read.
func resourceExpectations() []expectation {
	extra := confine.ExtraNone
	all := []expectation{
		{path: "HostConfig.Memory", control: confine.MemoryLimit, allows: number(func(a *account) int64 { return a.want.Memory })},
		{path: "HostConfig.MemorySwap", control: confine.SwapNone, allows: sameAsMemory()},
		{path: "HostConfig.PidsLimit", control: confine.PidsLimit, allows: number(func(a *account) int64 { return a.want.Pids })},
		{path: "HostConfig.Ulimits", control: confine.CoreZero, allows: coreLimit()},
		{path: "HostConfig.Ulimits", control: confine.UlimitsExact, allows: otherLimits()},
		// null on cgroup v2, which cannot disable it.
		{path: "HostConfig.OomKillDisable", control: confine.OOMKill, allows: is(`false`, `null`)},
		{path: "HostConfig.OomScoreAdj", control: confine.OOMScoreZero, allows: is(`0`)},
		{path: "HostConfig.ShmSize", control: confine.ShmDefault, allows: number(shmSize)},
		{path: "HostConfig.CgroupParent", control: confine.CgroupParentDefault, allows: is(`""`)},
		{path: "HostConfig.Devices", control: confine.DevicesNone, allows: empty()},
		{path: "HostConfig.DeviceRequests", control: confine.DevicesNone, allows: empty()},
		{path: "HostConfig.DeviceCgroupRules", control: confine.DeviceRulesNone, allows: empty()},
		{path: "HostConfig.MemorySwappiness", control: extra, allows: is(`null`)},
		// Left out by Engines from API 1.42 on.
		{path: "HostConfig.KernelMemory", control: extra, allows: is(`0`), optional: true},
		{path: "HostConfig.KernelMemoryTCP", control: extra, allows: is(`0`), optional: true},
	}
	for _, zero := range []string{"BlkioWeight", "MemoryReservation", "CpuCount", "CpuPercent", "IOMaximumIOps", "IOMaximumBandwidth"} {
		all = append(all, expectation{path: "HostConfig." + zero, control: extra, allows: is(`0`)})
	}
	for _, list := range []string{
		"BlkioWeightDevice", "BlkioDeviceReadBps", "BlkioDeviceWriteBps", "BlkioDeviceReadIOps", "BlkioDeviceWriteIOps",
	} {
		all = append(all, expectation{path: "HostConfig." + list, control: extra, allows: empty()})
	}
	return append(all, cpuExpectations()...)
}

// cpuExpectations are the tier's share of the CPUs.
func cpuExpectations() []expectation {
	var all []expectation
	for name, want := range map[string]func(c confine.CPU) int64{
		"NanoCpus":           func(c confine.CPU) int64 { return c.Nano },
		"CpuShares":          func(c confine.CPU) int64 { return c.Shares },
		"CpuPeriod":          func(c confine.CPU) int64 { return c.Period },
		"CpuQuota":           func(c confine.CPU) int64 { return c.Quota },
		"CpuRealtimePeriod":  func(c confine.CPU) int64 { return c.RealtimePeriod },
		"CpuRealtimeRuntime": func(c confine.CPU) int64 { return c.RealtimeRuntime },
	} {
		all = append(all, expectation{path: "HostConfig." + name, control: confine.CPUExact, allows: number(func(a *account) int64 { return want(a.want.CPU) })})
	}
	for _, set := range []string{"CpusetCpus", "CpusetMems"} {
		all = append(all, expectation{path: "HostConfig." + set, control: confine.CPUExact, allows: is(`""`)})
	}
	return all
}

// engineShm is what the Engine gives who asks for no size.
const engineShm = 64 << 20

func shmSize(a *account) int64 {
	if a.want.ShmSize == 0 {
		return engineShm
	}
	return a.want.ShmSize
}

// coreLimit wants one limit on cores, the tier's.
func coreLimit() allow {
	return func(v jsontext.Value, a *account) bool {
		cores, _, ok := splitLimits(v)
		return ok && slices.Equal(cores, []confine.Ulimit{{Name: "core", Soft: a.want.Core.Soft, Hard: a.want.Core.Hard}})
	}
}

// otherLimits wants the tier's and no other, in any order.
func otherLimits() allow {
	return func(v jsontext.Value, a *account) bool {
		_, others, ok := splitLimits(v)
		var want []confine.Ulimit
		for _, text := range a.want.Ulimits {
			u, err := confine.ParseUlimit(text)
			ok = ok && err == nil
			want = append(want, u)
		}
		byName := func(a, b confine.Ulimit) int { return strings.Compare(a.Name, b.Name) }
		slices.SortStableFunc(others, byName)
		slices.SortStableFunc(want, byName)
		return ok && slices.Equal(others, want)
	}
}

// splitLimits reads the list: each entry of three keys, no other spelling.
func splitLimits(v jsontext.Value) (cores, others []confine.Ulimit, ok bool) {
	var entries []map[string]jsontext.Value
	if json.Unmarshal(v, &entries) != nil {
		return nil, nil, false
	}
	for _, e := range entries {
		soft, err := strconv.ParseInt(string(e["Soft"]), 10, 64)
		hard, err2 := strconv.ParseInt(string(e["Hard"]), 10, 64)
		u := confine.Ulimit{Name: text(e["Name"]), Soft: soft, Hard: hard}
		if err != nil || err2 != nil || len(e) != 3 || u.Name == "" {
			return nil, nil, false
		}
		if u.Name == "core" {
			cores = append(cores, u)
		} else {
			others = append(others, u)
		}
	}
	return cores, others, true
}

// sameAsMemory wants memory and swap together to be what memory alone is
// limited to, whatever that is: a wrong memory limit is another control's.
func sameAsMemory() allow {
	return func(v jsontext.Value, a *account) bool {
		return v.Kind() == '0' && string(v) == string(a.values["HostConfig.Memory"])
	}
}
