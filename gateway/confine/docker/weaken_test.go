package docker

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"postern/gateway/confine"
)

// weakening gives up one field of the profile at a real Engine.
type weakening struct {
	name    string
	field   string // of confine.Profile
	apply   func(p *confine.Profile, w world)
	created []confine.Control // what Admit says before the start
	process []confine.Control // what the kernel says after it; nil: not visible there, not started
}

// world is what some weakenings need to exist.
type world struct {
	dir  string // of the host
	peer string // a running container
}

// The Engine drops labels by itself for whoever shares its IPC or PID
// namespace; a host's network brings the host's name; privileged is many things.
func weakenings() []weakening {
	type P = *confine.Profile
	one := func(c ...confine.Control) []confine.Control { return c }
	return []weakening{
		{"network bridge", "Network", func(p P, _ world) { p.Network = "bridge" }, one(confine.NetworkNone), one(confine.NetworkNone)},
		{"network omitted", "Network", func(p P, _ world) { p.Network = "" }, one(confine.NetworkNone), nil},
		{"network host", "Network", func(p P, _ world) { p.Network = "host" }, one(confine.NetworkNone, confine.UTSPrivate), one(confine.NetworkNone)},
		{"network of a peer", "Network", func(p P, w world) { p.Network = "container:" + w.peer }, one(confine.NetworkNone), one(confine.NetworkNone)},
		{"root writable", "ReadonlyRoot", func(p P, _ world) { p.ReadonlyRoot = false }, one(confine.RootReadonly), one(confine.RootReadonly)},
		{"bind", "Binds", func(p P, w world) { p.Binds = []string{w.dir + ":/in"} }, one(confine.BindsNone), one(confine.BindsNone)},
		{"bind read-only", "Binds", func(p P, w world) { p.Binds = []string{w.dir + ":/in:ro"} }, one(confine.BindsNone), nil},
		{"volume anonymous", "Volumes", func(p P, _ world) { p.Volumes = []string{"/v"} }, one(confine.VolumesNone), one(confine.VolumesNone)},
		{"volumes of a peer", "VolumesFrom", func(p P, w world) { p.VolumesFrom = []string{w.peer} }, one(confine.VolumesFromNone), nil},
		{"tmpfs", "Tmpfs", func(p P, _ world) { p.Tmpfs = map[string]string{"/t": ""} }, one(confine.TmpfsNone), one(confine.TmpfsNone)},
		{"capabilities kept", "CapDrop", func(p P, _ world) { p.CapDrop = nil }, one(confine.CapabilitiesDropped), one(confine.CapabilitiesDropped)},
		{"capability added", "CapAdd", func(p P, _ world) { p.CapAdd = []string{"SYS_ADMIN"} }, one(confine.CapabilitiesNotAdded), one(confine.CapabilitiesDropped)},
		{"new privileges", "NoNewPrivileges", func(p P, _ world) { p.NoNewPrivileges = false }, one(confine.NoNewPrivileges), one(confine.NoNewPrivileges)},
		{"user root", "User", func(p P, _ world) { p.User = "0:0" }, one(confine.UserNonroot), one(confine.GroupsNone, confine.UserNonroot)},
		{"user omitted", "User", func(p P, _ world) { p.User = "" }, one(confine.UserNonroot), nil},
		{"group added", "Groups", func(p P, _ world) { p.Groups = []string{"4242"} }, one(confine.GroupsNone), one(confine.GroupsNone)},
		{"log kept", "Log", func(p P, _ world) { p.Log.Driver = "json-file" }, one(confine.LogNone), nil},
		{"log omitted", "Log", func(p P, _ world) { p.Log.Driver = "" }, one(confine.LogNone), nil},
		{"restart always", "Restart", func(p P, _ world) { p.Restart = "always" }, one(confine.RestartNone), nil},
		{"core unlimited", "Core", func(p P, _ world) { p.Core.Soft, p.Core.Hard = -1, -1 }, one(confine.CoreZero), one(confine.CoreZero)},
		{"core omitted", "Core", func(p P, _ world) { p.Core.Omit = true }, one(confine.CoreZero), nil},
		{"processes unlimited", "Pids", func(p P, _ world) { p.Pids = 0 }, one(confine.PidsLimit), nil},
		{"processes many", "Pids", func(p P, _ world) { p.Pids = 400 }, one(confine.PidsLimit), one(confine.PidsLimit)},
		{"memory unlimited", "Memory", func(p P, _ world) { p.Memory = 0 }, one(confine.MemoryLimit), one(confine.MemoryLimit)},
		{"memory large", "Memory", func(p P, _ world) { p.Memory = 512 << 20 }, one(confine.MemoryLimit), nil},
		{"swap unlimited", "Swap", func(p P, _ world) { p.Swap = -1 }, one(confine.SwapNone), nil},
		{"swap", "Swap", func(p P, _ world) { p.Swap = 64 << 20 }, one(confine.SwapNone), one(confine.SwapNone)},
		{"not killed", "OOMKillDisable", func(p P, _ world) { p.OOMKillDisable = true }, one(confine.OOMKill), one(confine.OOMKill)},
		{"shared memory large", "ShmSize", func(p P, _ world) { p.ShmSize = 256 << 20 }, one(confine.ShmDefault), one(confine.ShmDefault)},
		{"IPC of the host", "IPC", func(p P, _ world) { p.IPC = "host" }, one(confine.IPCPrivate, confine.LSMDefault), one(confine.IPCPrivate)},
		{"IPC to be joined", "IPC", func(p P, _ world) { p.IPC = "shareable" }, one(confine.IPCPrivate), nil},
		{"PID of the host", "PID", func(p P, _ world) { p.PID = "host" }, one(confine.LSMDefault, confine.PIDPrivate), one(confine.PIDPrivate)},
		{"PID of a peer", "PID", func(p P, w world) { p.PID = "container:" + w.peer }, one(confine.PIDPrivate), nil},
		{"UTS of the host", "UTS", func(p P, _ world) { p.UTS = "host" }, one(confine.UTSPrivate), one(confine.UTSPrivate)},
		{"user namespace of the host", "Userns", func(p P, _ world) { p.Userns = "host" }, one(confine.UserNamespace), nil},
		{"cgroup of the host", "Cgroupns", func(p P, _ world) { p.Cgroupns = "host" }, one(confine.CgroupPrivate), one(confine.CgroupPrivate)},
		{"cgroup parent", "CgroupParent", func(p P, _ world) { p.CgroupParent = "/postern-test" }, one(confine.CgroupParentDefault), nil}, // starting it would leave the cgroup behind
		{"device", "Devices", func(p P, _ world) { p.Devices = []string{"/dev/null:/dev/extra"} }, one(confine.DevicesNone), nil},
		{"device rule beyond the Engine's", "DeviceRules", func(p P, _ world) { p.DeviceRules = []string{"b 7:0 rwm"} }, one(confine.DeviceRulesNone), one(confine.DeviceRulesNone)},
		{"device node", "Devices", func(p P, _ world) { p.Devices = []string{"/dev/kmsg:/dev/extra"} }, one(confine.DevicesNone), one(confine.DevicesNone)},
		{"device rule", "DeviceRules", func(p P, _ world) { p.DeviceRules = []string{"c 1:3 rwm"} }, one(confine.DeviceRulesNone), nil},
		{"port published", "Ports", func(p P, _ world) { p.Ports.Publish = []string{"127.0.0.1::80/tcp"} }, one(confine.PortsNone), nil},
		{"port exposed", "Ports", func(p P, _ world) { p.Ports.Expose = []string{"80/tcp"} }, one(confine.PortsNone), nil},
		{"ports all published", "Ports", func(p P, _ world) { p.Ports.All = true }, one(confine.PortsNone), nil},
		{"link", "Links", func(p P, w world) { p.Links = []string{w.peer + ":peer"} }, one(confine.LinksNone), nil},
		{"host name", "Hosts", func(p P, _ world) { p.Hosts = []string{"x.test:127.0.0.1"} }, one(confine.HostsNone), nil},
		{"resolver", "DNS", func(p P, _ world) { p.DNS.Servers = []string{"127.0.0.1"} }, one(confine.DNSNone), nil},
		{"search domain", "DNS", func(p P, _ world) { p.DNS.Search = []string{"test"} }, one(confine.DNSNone), nil},
		{"resolver option", "DNS", func(p P, _ world) { p.DNS.Options = []string{"ndots:1"} }, one(confine.DNSNone), nil},
		{"sysctl", "Sysctls", func(p P, _ world) { p.Sysctls = map[string]string{"net.ipv4.ip_unprivileged_port_start": "0"} }, one(confine.SysctlsNone), nil},
		{"health check", "Healthcheck", func(p P, _ world) { p.Healthcheck = []string{"CMD", "/agent"} }, one(confine.HealthcheckNone), nil},
		{"privileged", "Privileged", func(p P, _ world) { p.Privileged = true }, one(confine.LSMDefault, confine.PathsMasked, confine.PathsReadonly, confine.PrivilegedOff), one(confine.CapabilitiesDropped, confine.PathsMasked, confine.PathsReadonly, confine.PrivilegedOff, confine.SeccompDefault)},
		{"runtime", "Runtime", func(p P, _ world) { p.Runtime = "io.containerd.runc.v2" }, one(confine.RuntimeDefault), nil},
		{"init", "Init", func(p P, _ world) { p.Init = true }, one(confine.InitOff), one(confine.InitOff)},
		{"seccomp off", "Seccomp", func(p P, _ world) { p.Seccomp = "unconfined" }, one(confine.SeccompDefault), one(confine.SeccompDefault)},
		{"labels off", "LSM", func(p P, _ world) { p.LSM = []string{"label=disable"} }, one(confine.LSMDefault), nil},
		{"paths not masked", "MaskedPaths", func(p P, _ world) { p.MaskedPaths = false }, one(confine.PathsMasked), one(confine.PathsMasked)},
		{"paths writable", "ReadonlyPaths", func(p P, _ world) { p.ReadonlyPaths = false }, one(confine.PathsReadonly), one(confine.PathsReadonly)},
		{"removed on exit", "AutoRemove", func(p P, _ world) { p.AutoRemove = true }, one(confine.AutoremoveOff), nil},
		{"terminal", "TTY", func(p P, _ world) { p.TTY = true }, one(confine.TTYOff), one(confine.TTYOff)},
		{"command", "Command", func(p P, _ world) { p.Command = []string{"/agent", "x"} }, one(confine.CommandImage), nil},
		{"variable", "Env", func(p P, _ world) { p.Env = []string{"X=y"} }, one(confine.EnvNone), one(confine.EnvNone)},
		{"working directory", "WorkDir", func(p P, _ world) { p.WorkDir = "/dev" }, one(confine.WorkDirRoot), nil},
		{"host name", "Hostname", func(p P, _ world) { p.Hostname = "other" }, one(confine.HostnameDefault), nil},
		{"stop signal", "Stop", func(p P, _ world) { p.Stop.Signal = "SIGUSR1" }, one(confine.StopDefault), nil},
		{"stop timeout", "Stop", func(p P, _ world) { p.Stop.Timeout = 1000 }, one(confine.StopDefault), nil},
		{"ulimit", "Ulimits", func(p P, _ world) { p.Ulimits = []string{"nofile=4096:4096"} }, one(confine.UlimitsExact), one(confine.UlimitsExact)},
		{"first to live", "OOMScore", func(p P, _ world) { p.OOMScore = -500 }, one(confine.OOMScoreZero), nil},
		{"last to live", "OOMScore", func(p P, _ world) { p.OOMScore = 500 }, one(confine.OOMScoreZero), one(confine.OOMScoreZero)},
		{"CPU shares", "CPU", func(p P, _ world) { p.CPU.Shares = 4096 }, one(confine.CPUExact), one(confine.CPUExact)},
		{"CPU quota", "CPU", func(p P, _ world) { p.CPU.Period, p.CPU.Quota = 100000, 50000 }, one(confine.CPUExact), one(confine.CPUExact)},
		{"CPU set", "CPU", func(p P, _ world) { p.CPU.Cpus = "0" }, one(confine.CPUExact), one(confine.CPUExact)},
		{"memory node", "CPU", func(p P, _ world) { p.CPU.Mems = "0" }, one(confine.CPUExact), nil},
		{"mount of a directory", "Mounts", func(p P, w world) {
			p.Mounts = []confine.Mount{{Type: "bind", Source: w.dir, Target: "/in"}}
		}, one(confine.BindsNone, confine.MountsNone), one(confine.BindsNone)},
		{"mount of a volume", "Mounts", func(p P, _ world) { p.Mounts = []confine.Mount{{Type: "volume", Target: "/v"}} }, one(confine.MountsNone, confine.VolumesNone), nil},
		{"mount of a tmpfs", "Mounts", func(p P, _ world) { p.Mounts = []confine.Mount{{Type: "tmpfs", Target: "/t"}} }, one(confine.MountsNone, confine.TmpfsNone), one(confine.TmpfsNone)},
		{"another network", "Networks", func(p P, _ world) { p.Networks = []string{"bridge"} }, one(confine.NetworkNone, confine.NetworksNone), one(confine.NetworkNone)},
		{"memory soft limit", "Extra", func(p P, _ world) { p.Extra = map[string]string{"HostConfig.MemoryReservation": "67108864"} }, one(confine.ExtraNone), one(confine.ExtraNone)},
	}
}

// Every field of the profile is weakened at least once.
func TestWeakeningsCoverTheProfile(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range weakenings() {
		covered[c.field] = true
	}
	for f := range reflect.TypeFor[confine.Profile]().Fields() {
		if f.Name == "Tier" || f.Name == "Deny" {
			continue // the hardened tier's, in hardened_test.go
		}
		if !covered[f.Name] {
			t.Errorf("no weakening of %s", f.Name)
		}
	}
}

func TestWeakenings(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	w := world{dir: t.TempDir(), peer: created(t, e, img, peerProfile())}
	if err := os.Chmod(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(t.Context(), w.peer); err != nil {
		t.Fatal(err)
	}
	image, err := e.InspectImage(t.Context(), img)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range weakenings() {
		t.Run(c.name, func(t *testing.T) {
			p := confine.Reference()
			c.apply(&p, w)
			id := created(t, e, img, p)
			account := inspected(t, e, id)
			got := controls(confine.Merge(Admit(confine.Reference(), img, account), AdmitCommand(image, account)))
			if !slices.Equal(got, c.created) {
				t.Errorf("admission of the created container names %v, want %v", got, c.created)
			}
			if c.process == nil {
				return
			}
			if err := e.Start(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			process := controls(confine.AdmitProcess(confine.Reference(), processed(t, e, id)))
			again := controls(Admit(confine.Reference(), img, inspected(t, e, id)))
			removed(t, e, id)
			if !slices.Equal(process, c.process) {
				t.Errorf("admission of the process names %v, want %v", process, c.process)
			}
			for _, want := range c.created {
				if !slices.Contains(again, want) {
					t.Errorf("admission of the running container names %v, without %s", again, want)
				}
			}
		})
	}
}

// peerProfile is one that others can share things of.
func peerProfile() confine.Profile {
	p := confine.Reference()
	p.IPC = "shareable"
	p.Network = "bridge"
	return p
}
