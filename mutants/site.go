package mutants

// Need is something of the host that a mutant's trial sets up beforehand and
// takes away afterwards.
type Need string

// What the mutants of the kernel channels need.
const (
	NeedHostState   Need = "host-state"    // the host's settings are written down first, and put back
	NeedKeyring     Need = "user-keyring"  // the keys of the agent's user are taken away
	NeedDevice      Need = "loop-device"   // a block device of the host's with a file behind it
	NeedParent      Need = "cgroup-parent" // the cgroup that a container stands below is taken away
	NeedCoreHandler Need = "core-handler"  // the kernel hands cores to a program
	NeedOpenEngine  Need = "open-engine"   // a private Engine whose default filter allows everything
	NeedOtherEngine Need = "other-engine"  // an Engine that is not this host's own
	NeedOwnCore     Need = "own-core"      // a harness that may leave cores
)

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Device        string // the node of a block device, for everybody
	DevicePrivate string // another node of it, for root
	DeviceNumber  string // "7:3"
	CgroupParent  string // the path of a cgroup that is not there yet
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site {
	return Site{Device: "/dev/sample", DevicePrivate: "/dev/sample-private", DeviceNumber: "7:3", CgroupParent: "/sample"}
}
