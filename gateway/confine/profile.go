package confine

import (
	"maps"
	"slices"
)

// Profile is what the agent is confined by, one field a control, in a form
// in which every control can be weakened alone. The zero Profile is not the
// strict one, and is refused: start from Reference or Hardened.
type Profile struct {
	Tier            Tier              // what it is held to; no control by itself
	Network         string            // network mode; "none". Empty leaves it to the Engine: a bridge
	ReadonlyRoot    bool              // root file system read-only
	Binds           []string          // "/host/path:/path[:options]"
	Volumes         []string          // "name:/path" named, "/path" anonymous
	VolumesFrom     []string          // containers whose volumes are shared
	Tmpfs           map[string]string // path -> mount options
	CapDrop         []string          // capabilities dropped; "ALL"
	CapAdd          []string          // capabilities added
	NoNewPrivileges bool              // exec gains nothing
	User            string            // "uid:gid", numeric. Give each container at a time its own uid
	Groups          []string          // supplementary groups
	Log             Log               // where output is kept
	Restart         string            // restart policy; "no"
	Core            CoreLimit         // RLIMIT_CORE
	Pids            int64             // processes and threads; 0 is no limit
	Memory          int64             // bytes; 0 is no limit
	Swap            int64             // bytes beyond Memory; -1 is no limit
	OOMKillDisable  bool              // stall instead of dying when out of memory
	ShmSize         int64             // bytes of /dev/shm; 0 is the Engine's default
	IPC             string            // IPC mode; "private"
	PID             string            // PID mode; empty is a namespace of its own
	UTS             string            // UTS mode; empty is a namespace of its own
	Userns          string            // user namespace mode; empty is the Engine's setting
	Cgroupns        string            // cgroup namespace mode; "private"
	CgroupParent    string            // parent cgroup; empty is the Engine's
	Devices         []string          // "/dev/host:/dev/name:rwm"
	DeviceRules     []string          // device cgroup rules, "c 1:3 rwm"
	Ports           Ports             // ports reachable from outside
	Links           []string          // "container:alias"
	Hosts           []string          // "name:address" for /etc/hosts
	DNS             DNS               // resolver settings
	Sysctls         map[string]string // namespaced kernel settings
	Healthcheck     []string          // health command, "CMD" first
	Privileged      bool              // all of it off at once
	Runtime         string            // OCI runtime; empty is the Engine's default
	Init            bool              // an init process of the Engine's as pid 1
	Seccomp         string            // empty is the Engine's default filter; "unconfined"
	LSM             []string          // other security options, "apparmor=unconfined"
	MaskedPaths     bool              // the Engine's default paths masked; false masks none
	ReadonlyPaths   bool              // the Engine's default paths read-only; false: none is
	AutoRemove      bool              // removed by the Engine when it exits
	TTY             bool              // a terminal in place of pipes
	Command         []string          // in place of the image's own command
	Env             []string          // "NAME=value"
	WorkDir         string            // absolute path; empty is the image's, the root
	Hostname        string            // empty is the Engine's choice
	Stop            Stop              // how the Engine would end it
	Ulimits         []string          // "name=soft:hard", besides the core's
	OOMScore        int64             // added to its score when the host is out of memory
	CPU             CPU               // shares of the CPUs
	Mounts          []Mount           // mounts of any kind
	Networks        []string          // networks joined besides Network
	Deny            Deny              // what the hardened tier's system call filter refuses
	Extra           map[string]string // other fields of the backend's create request: path -> JSON
}

// Stop is how the Engine ends a container that it is told to stop.
type Stop struct {
	Signal  string // empty is the image's or SIGTERM
	Timeout int64  // seconds until SIGKILL; 0 is the Engine's
}

// CPU is what a container gets of the CPUs. Zeroes leave it to the Engine.
type CPU struct {
	Nano                            int64  // billionths of one CPU
	Shares, Period, Quota           int64  // weight; microseconds
	RealtimePeriod, RealtimeRuntime int64  // microseconds
	Cpus, Mems                      string // "0-1"
}

// Mount is one mount.
type Mount struct {
	Type, Source, Target string // "bind", "volume", "tmpfs"
	ReadOnly             bool
	Propagation          string // of a bind; empty is the Engine's, "rprivate"
}

// Log is where the Engine keeps the output.
type Log struct {
	Driver  string            // "none"; empty is the Engine's default, a file
	Options map[string]string // of the driver
}

// CoreLimit is RLIMIT_CORE in bytes; -1 is no limit. Its zero value is 0:0.
type CoreLimit struct {
	Omit       bool // leave it to the Engine
	Soft, Hard int64
}

// Ports are ways in.
type Ports struct {
	Publish []string // "address:host port:port/tcp"
	Expose  []string // "port/tcp"
	All     bool     // publish every exposed port
}

// DNS is what would be written into resolv.conf.
type DNS struct {
	Servers, Search, Options []string
}

// Reference is the strict profile.
func Reference() Profile {
	return Profile{
		Network:         "none",
		ReadonlyRoot:    true,
		CapDrop:         []string{"ALL"},
		NoNewPrivileges: true,
		User:            "10001:10001",
		Log:             Log{Driver: "none"},
		Restart:         "no",
		Pids:            32,
		Memory:          128 << 20,
		IPC:             "private",
		Cgroupns:        "private",
		MaskedPaths:     true,
		ReadonlyPaths:   true,
	}
}

// Clone is a copy that shares nothing with p.
func (p Profile) Clone() Profile {
	p.Binds = slices.Clone(p.Binds)
	p.Volumes = slices.Clone(p.Volumes)
	p.VolumesFrom = slices.Clone(p.VolumesFrom)
	p.Tmpfs = maps.Clone(p.Tmpfs)
	p.CapDrop = slices.Clone(p.CapDrop)
	p.CapAdd = slices.Clone(p.CapAdd)
	p.Groups = slices.Clone(p.Groups)
	p.Log.Options = maps.Clone(p.Log.Options)
	p.Devices = slices.Clone(p.Devices)
	p.DeviceRules = slices.Clone(p.DeviceRules)
	p.Ports.Publish = slices.Clone(p.Ports.Publish)
	p.Ports.Expose = slices.Clone(p.Ports.Expose)
	p.Links = slices.Clone(p.Links)
	p.Hosts = slices.Clone(p.Hosts)
	p.DNS.Servers = slices.Clone(p.DNS.Servers)
	p.DNS.Search = slices.Clone(p.DNS.Search)
	p.DNS.Options = slices.Clone(p.DNS.Options)
	p.Sysctls = maps.Clone(p.Sysctls)
	p.Healthcheck = slices.Clone(p.Healthcheck)
	p.LSM = slices.Clone(p.LSM)
	p.Command = slices.Clone(p.Command)
	p.Env = slices.Clone(p.Env)
	p.Ulimits = slices.Clone(p.Ulimits)
	p.Mounts = slices.Clone(p.Mounts)
	p.Networks = slices.Clone(p.Networks)
	p.Extra = maps.Clone(p.Extra)
	return p
}
