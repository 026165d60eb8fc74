package cell

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"postern/gateway/confine"
)

// kind is what is at a place of the host's: what is not there need not be hidden.
type kind func(place string) (mode fs.FileMode, exists bool)

// Render says with which options bwrap makes a profile's cell. It renders weak
// profiles too: refusing them is for admission. What bubblewrap has no means for
// is an *Unfit.
func Render(p confine.Profile, root, id string, at kind) ([]string, error) {
	if c := unfit(p); c != "" {
		return nil, &Unfit{c}
	}
	options := []string{"--die-with-parent", "--new-session", "--unshare-user"}
	if p.PID != "host" {
		options = append(options, "--as-pid-1")
	}
	for _, own := range []struct {
		option, mode string
	}{{"--unshare-net", p.Network}, {"--unshare-pid", p.PID}, {"--unshare-ipc", p.IPC}, {"--unshare-uts", p.UTS}, {"--unshare-cgroup", p.Cgroupns}} {
		if own.mode != "host" {
			options = append(options, own.option)
		}
	}
	options = append(options, capabilities(p)...)
	if p.ReadonlyRoot {
		options = append(options, "--ro-bind", root, "/")
	} else {
		options = append(options, "--bind", root, "/")
	}
	options = append(options, "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
	options = append(options, kernelFiles(p, at)...)
	all, _ := binds(p)
	for _, b := range all {
		does := "--bind"
		if b.readonly {
			does = "--ro-bind"
		}
		options = append(options, does, b.source, b.target)
	}
	for _, place := range slices.Sorted(maps.Keys(p.Tmpfs)) {
		options = append(options, "--tmpfs", place)
	}
	return append(options, surroundings(p, id)...), nil
}

// capabilities are none by default. They reach no further than the cell's own
// user namespace.
func capabilities(p confine.Profile) []string {
	options := []string{"--cap-drop", "ALL"}
	if !slices.Contains(p.CapDrop, "ALL") {
		options = []string{"--cap-add", "ALL"}
	}
	for _, c := range p.CapAdd {
		if c != "ALL" && !strings.HasPrefix(c, "CAP_") {
			c = "CAP_" + c
		}
		options = append(options, "--cap-add", c)
	}
	return options
}

func kernelFiles(p confine.Profile, at kind) []string {
	var options []string
	if p.ReadonlyPaths {
		for _, place := range shown() {
			if _, exists := at(place); exists {
				options = append(options, "--ro-bind", place, place)
			}
		}
	}
	if p.MaskedPaths {
		for _, place := range masked() {
			switch mode, exists := at(place); {
			case !exists:
			case mode.IsDir():
				options = append(options, "--tmpfs", place, "--remount-ro", place)
			default:
				options = append(options, "--ro-bind", "/dev/null", place)
			}
		}
	}
	return options
}

// surroundings are the names and variables that an Engine gives, too.
func surroundings(p confine.Profile, id string) []string {
	name, at := id[:12], "/"
	if p.Hostname != "" {
		name = p.Hostname
	}
	if p.WorkDir != "" {
		at = p.WorkDir
	}
	var options []string
	if p.UTS != "host" {
		options = append(options, "--hostname", name)
	}
	options = append(options, "--chdir", at, "--clearenv", "--setenv", "PATH", search, "--setenv", "HOSTNAME", name, "--setenv", "HOME", "/")
	for _, variable := range p.Env {
		name, value, _ := strings.Cut(variable, "=")
		options = append(options, "--setenv", name, value)
	}
	return options
}

// unfit is the first control whose field asks for what bubblewrap cannot give,
// or takes away what it always does.
func unfit(p confine.Profile) confine.Control {
	own := func(mode string, usual ...string) bool { return mode == "host" || slices.Contains(usual, mode) }
	_, bound := binds(p)
	uid, _, err := confine.NumericUser(p.User)
	for _, row := range []struct {
		control confine.Control
		fit     bool
	}{
		{confine.NetworkNone, own(p.Network, "none")},
		{confine.PIDPrivate, own(p.PID, "")},
		{confine.IPCPrivate, own(p.IPC, "private")},
		{confine.UTSPrivate, own(p.UTS, "")},
		{confine.CgroupPrivate, own(p.Cgroupns, "private")},
		{confine.UserNamespace, p.Userns == ""},
		{confine.UserNonroot, p.User == "" || err == nil && uid > 0},
		{confine.GroupsNone, numbers(p.Groups) != nil},
		{confine.MountsNone, bound},
		{confine.VolumesNone, len(p.Volumes) == 0},
		{confine.VolumesFromNone, len(p.VolumesFrom) == 0},
		{confine.NoNewPrivileges, p.NoNewPrivileges},
		{confine.LogNone, p.Log.Driver == "none" && len(p.Log.Options) == 0},
		{confine.RestartNone, p.Restart == "no"},
		{confine.CoreZero, p.Core == confine.CoreLimit{}}, // a higher one than our own is for nobody to give
		{confine.SwapNone, p.Swap == 0},
		{confine.OOMKill, !p.OOMKillDisable},
		{confine.ShmDefault, p.ShmSize == 0},
		{confine.CgroupParentDefault, p.CgroupParent == ""},
		{confine.DevicesNone, len(p.Devices) == 0},
		{confine.DeviceRulesNone, len(p.DeviceRules) == 0},
		{confine.PortsNone, len(p.Ports.Publish)+len(p.Ports.Expose) == 0 && !p.Ports.All},
		{confine.LinksNone, len(p.Links) == 0},
		{confine.HostsNone, len(p.Hosts) == 0},
		{confine.DNSNone, len(p.DNS.Servers)+len(p.DNS.Search)+len(p.DNS.Options) == 0},
		{confine.SysctlsNone, len(p.Sysctls) == 0},
		{confine.HealthcheckNone, len(p.Healthcheck) == 0},
		{confine.PrivilegedOff, !p.Privileged},
		{confine.RuntimeDefault, p.Runtime == ""},
		{confine.InitOff, !p.Init},
		{confine.SeccompDefault, p.Seccomp == "" && p.Deny == confine.Deny{} || p.Seccomp == "unconfined"},
		{confine.LSMDefault, len(p.LSM) == 0},
		{confine.AutoremoveOff, !p.AutoRemove},
		{confine.TTYOff, !p.TTY},
		{confine.StopDefault, p.Stop == confine.Stop{}},
		{confine.UlimitsExact, len(p.Ulimits) == 0},
		{confine.CPUExact, p.CPU == confine.CPU{}},
		{confine.NetworksNone, len(p.Networks) == 0},
		{confine.ExtraNone, len(p.Extra) == 0},
	} {
		if !row.fit {
			return row.control
		}
	}
	return ""
}

// numbers reads ids; nil where one is none.
func numbers(texts []string) []int {
	all := []int{}
	for _, text := range texts {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || fmt.Sprint(n) != text {
			return nil
		}
		all = append(all, n)
	}
	return all
}
