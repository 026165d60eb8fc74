package reports

import (
	"regexp"
	"slices"
)

// Environment is the machine that the campaign ran on. Fill it with what the
// machine says, then take Closed.
type Environment struct {
	OS            string `json:"os"`
	Arch          string `json:"arch"`
	Kernel        string `json:"kernel"`     // leading number, such as 6.8.0
	Engine        string `json:"engine"`     // leading number, such as 28.5.2
	EngineAPI     string `json:"engine_api"` // leading number, such as 1.41
	Runtime       string `json:"runtime"`    // of the Engine; bubblewrap where that confined the agent, without one
	StorageDriver string `json:"storage_driver"`
	CgroupVersion int    `json:"cgroup_version"` // 0 where it could not be read
	Image         string `json:"image"`          // "sha256:" and 64 digits, or "none"
	CPUs          int    `json:"cpus"`
	CorePattern   string `json:"core_pattern"` // where cores go: file, pipe, socket, empty
	CompatCalls   string `json:"compat_calls"` // whether the kernel has an entry for 32-bit programs: yes, no
	Sandbox       string `json:"sandbox"`      // what confines the gateway's tool servers: bubblewrap, none
}

// Closed replaces what the machine said freely by closed words: versions keep
// their leading number, unlisted names become "other", absent facts
// "unknown". A vendor's suffix is therefore not in the evidence.
func (e Environment) Closed() Environment {
	e.OS = listed(e.OS, "linux", "darwin")
	e.Arch = listed(e.Arch, "amd64", "arm64", "arm", "386", "riscv64", "ppc64le", "s390x")
	e.Kernel = leadingNumber(e.Kernel)
	e.Engine = leadingNumber(e.Engine)
	e.EngineAPI = leadingNumber(e.EngineAPI)
	e.Runtime = listed(e.Runtime, "runc", "crun", "runsc", "kata", "youki", "bubblewrap")
	e.StorageDriver = listed(e.StorageDriver, "overlay2", "overlayfs", "fuse-overlayfs", "vfs", "btrfs", "zfs")
	e.CorePattern = listed(e.CorePattern, "file", "pipe", "socket", "empty")
	e.CompatCalls = listed(e.CompatCalls, "yes", "no")
	e.Sandbox = listed(e.Sandbox, "bubblewrap", none)
	if e.CgroupVersion != 1 && e.CgroupVersion != 2 {
		e.CgroupVersion = 0
	}
	if e.Image == "" {
		e.Image = "none"
	}
	return e
}

func listed(name string, words ...string) string {
	switch {
	case name == "":
		return Unknown
	case name == Unknown || slices.Contains(words, name):
		return name
	}
	return Other
}

func leadingNumber(version string) string {
	// The same limits as the schema's pattern, so that what is cut here passes there.
	number := regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,5}){1,3}`)
	if found := number.FindString(version); found != "" {
		return found
	}
	return Unknown
}
