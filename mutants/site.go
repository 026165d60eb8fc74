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

// NeedPeer is another container, of the agent's image, that lets others join.
const NeedPeer Need = "peer"

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Peer     string // the full id of the peer container
	PeerUser string // its user, "uid:gid"

	SetuidImage      string // image ids
	CapabilityImage  string
	DirectoryImage   string
	VolumeImage      string
	PortImage        string
	HealthImage      string
	TriggerImage     string
	EnvironmentImage string
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site {
	return Site{
		Peer: samplePeer, PeerUser: "20001:20001",
		SetuidImage: sampleImage, CapabilityImage: sampleImage, DirectoryImage: sampleImage, VolumeImage: sampleImage,
		PortImage: sampleImage, HealthImage: sampleImage, TriggerImage: sampleImage, EnvironmentImage: sampleImage,
	}
}

const samplePeer = "0000000000000000000000000000000000000000000000000000000000000002"

const sampleImage = "sha256:0000000000000000000000000000000000000000000000000000000000000001"
