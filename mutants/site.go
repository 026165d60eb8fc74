package mutants

// Need is something of the host that a mutant's trial sets up beforehand and
// takes away afterwards.
type Need string

// The images that a trial can be given: the agent's own with one thing more.
const (
	NeedSetuidImage      Need = "setuid-image"      // a copy of the agent runs as root
	NeedCapabilityImage  Need = "capability-image"  // a copy of the agent gains capabilities
	NeedDirectoryImage   Need = "directory-image"   // a directory to mount on, open to any user
	NeedVolumeImage      Need = "volume-image"      // the same, declared as a volume
	NeedPortImage        Need = "port-image"        // a port is declared as exposed
	NeedHealthImage      Need = "health-image"      // a health check is declared
	NeedTriggerImage     Need = "trigger-image"     // an instruction for whoever builds on it
	NeedEnvironmentImage Need = "environment-image" // a variable is set
)

// NeedSandbox is a sandbox for tool servers. Nothing is set up for it.
const NeedSandbox Need = "sandbox"

// NeedPeer is another container, of the agent's image, that lets others join.
const NeedPeer Need = "peer"

// What the file mutants need on the host.
const (
	NeedShared     Need = "shared-directory"   // open to any user
	NeedOwned      Need = "owned-directory"    // only root may write to it
	NeedReadable   Need = "readable-directory" // a socket and a pipe that observers look at
	NeedLocks      Need = "lock-files"         // files whose locks an observer looks at
	NeedFile       Need = "shared-file"        // open to any user
	NeedDaemon     Need = "daemon-socket"      // stands in for the Engine's
	NeedVolume     Need = "volume"             // open to any user
	NeedVolumePeer Need = "volume-peer"        // a container with a volume open to any user
)

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Peer     string // the full id of the peer container
	PeerUser string // its user, "uid:gid"

	Net Surroundings
	KernelSite
	Names NameService

	SetuidImage      string // image ids
	CapabilityImage  string
	DirectoryImage   string
	VolumeImage      string
	PortImage        string
	HealthImage      string
	TriggerImage     string
	EnvironmentImage string
	ShellImage       string

	Block string // the path of a block device

	Shared, Owned, Readable, Locks string // paths of directories
	File                           string // path of a file
	Daemon                         string // path of a socket
	DaemonGroup                    string // the number of the group that may connect to it
	Volume                         string // its name
	VolumePeer                     string // the id of a container

	Collectors Collectors // in every trial
}

// Collectors are the log servers of a trial, each a host:port on loopback.
type Collectors struct {
	SyslogUDP, SyslogTCP, GELFUDP, GELFTCP, Fluentd, Splunk string
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site {
	return Site{
		Names: sampleNameService(),
		Peer:  samplePeer, PeerUser: "20001:20001",
		Collectors: Collectors{
			SyslogUDP: "127.0.0.1:1", SyslogTCP: "127.0.0.1:2", GELFUDP: "127.0.0.1:3", GELFTCP: "127.0.0.1:4",
			Fluentd: "127.0.0.1:5", Splunk: "127.0.0.1:6",
		},
		Net:         sampleSurroundings(),
		KernelSite:  sampleKernel(),
		SetuidImage: sampleImage, CapabilityImage: sampleImage, DirectoryImage: sampleImage, VolumeImage: sampleImage,
		PortImage: sampleImage, HealthImage: sampleImage, TriggerImage: sampleImage, EnvironmentImage: sampleImage, ShellImage: sampleImage,
		Block:  "/dev/sample",
		Shared: "/sample/shared", Owned: "/sample/owned", Readable: "/sample/readable", Locks: "/sample/locks", File: "/sample/file",
		Daemon: "/sample/socket", DaemonGroup: "999", Volume: "sample", VolumePeer: "sample",
	}
}

const samplePeer = "0000000000000000000000000000000000000000000000000000000000000002"

const sampleImage = "sha256:0000000000000000000000000000000000000000000000000000000000000001"
