package docker

import (
	"postern/gateway/confine"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// resourceExpectations are the limits in HostConfig. Those that nobody asks
// for must be at rest: a weight or a quota is a clock that others can read.
func resourceExpectations() []expectation {
	unknown := confine.Unrecognised
	all := []expectation{
		{path: "HostConfig.Memory", control: confine.MemoryLimit, allows: number(func(a *account) int64 { return a.want.Memory })},
		{path: "HostConfig.MemorySwap", control: confine.SwapNone, allows: sameAsMemory()},
		{path: "HostConfig.PidsLimit", control: confine.PidsLimit, allows: number(func(a *account) int64 { return a.want.Pids })},
		{path: "HostConfig.Ulimits", control: confine.CoreZero, allows: onlyCoreZero()},
		// null on cgroup v2, which cannot disable it.
		{path: "HostConfig.OomKillDisable", control: confine.OOMKill, allows: is(`false`, `null`)},
		{path: "HostConfig.OomScoreAdj", control: unknown, allows: is(`0`)},
		{path: "HostConfig.ShmSize", control: confine.ShmDefault, allows: is(`67108864`)},
		{path: "HostConfig.CgroupParent", control: confine.CgroupParentDefault, allows: is(`""`)},
		{path: "HostConfig.Devices", control: confine.DevicesNone, allows: empty()},
		{path: "HostConfig.DeviceRequests", control: confine.DevicesNone, allows: empty()},
		{path: "HostConfig.DeviceCgroupRules", control: confine.DeviceRulesNone, allows: empty()},
		{path: "HostConfig.MemorySwappiness", control: unknown, allows: is(`null`)},
		// Left out by Engines from API 1.42 on.
		{path: "HostConfig.KernelMemory", control: unknown, allows: is(`0`), optional: true},
		{path: "HostConfig.KernelMemoryTCP", control: unknown, allows: is(`0`), optional: true},
	}
	for _, zero := range []string{
		"CpuShares", "NanoCpus", "BlkioWeight", "CpuPeriod", "CpuQuota", "CpuRealtimePeriod", "CpuRealtimeRuntime",
		"MemoryReservation", "CpuCount", "CpuPercent", "IOMaximumIOps", "IOMaximumBandwidth",
	} {
		all = append(all, expectation{path: "HostConfig." + zero, control: unknown, allows: is(`0`)})
	}
	for _, blank := range []string{"CpusetCpus", "CpusetMems"} {
		all = append(all, expectation{path: "HostConfig." + blank, control: unknown, allows: is(`""`)})
	}
	for _, list := range []string{
		"BlkioWeightDevice", "BlkioDeviceReadBps", "BlkioDeviceWriteBps", "BlkioDeviceReadIOps", "BlkioDeviceWriteIOps",
	} {
		all = append(all, expectation{path: "HostConfig." + list, control: unknown, allows: empty()})
	}
	return all
}

// onlyCoreZero wants one limit, on cores, of nothing at all.
func onlyCoreZero() allow {
	want := map[string]string{"Name": `"core"`, "Hard": `0`, "Soft": `0`}
	return func(v jsontext.Value, _ *account) bool {
		var limits []map[string]jsontext.Value
		if json.Unmarshal(v, &limits) != nil || len(limits) != 1 || len(limits[0]) != len(want) {
			return false
		}
		for key, value := range want {
			if string(limits[0][key]) != value {
				return false
			}
		}
		return true
	}
}

// sameAsMemory wants memory and swap together to be what memory alone is
// limited to, whatever that is: a wrong memory limit is another control's.
func sameAsMemory() allow {
	return func(v jsontext.Value, a *account) bool {
		return v.Kind() == '0' && string(v) == string(a.values["HostConfig.Memory"])
	}
}
