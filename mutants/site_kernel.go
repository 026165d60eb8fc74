package mutants

// What the mutants of the kernel channels need.
const (
	NeedHostState   Need = "host-state"    // the host's settings are written down first, and put back
	NeedKeyring     Need = "user-keyring"  // the keys of the agent's user are taken away
	NeedDevice      Need = "loop-device"   // a block device of the host's with a file behind it
	NeedParent      Need = "cgroup-parent" // the cgroup that a container stands below is taken away
	NeedCoreHandler Need = "core-handler"  // the kernel hands cores to a program
	NeedOpenEngine  Need = "open-engine"   // a private Engine whose default filter allows everything
	NeedCompat      Need = "compat-calls"  // a kernel that has an entry for 32-bit programs
	NeedOtherEngine Need = "other-engine"  // an Engine that is not this host's own
	NeedMachine     Need = "other-machine" // an Engine in a virtual machine
	NeedOwnCore     Need = "own-core"      // a harness that may leave cores
)

// KernelSite is what the mutants of the kernel channels find beside them.
type KernelSite struct {
	Device        string // the node of a block device, for everybody
	DevicePrivate string // another node of it, for root and for a group
	DeviceGroup   string // the number of that group
	DeviceNumber  string // "7:3"
	CgroupParent  string // the path of a cgroup that is not there yet
}

func sampleKernel() KernelSite {
	return KernelSite{
		Device: "/dev/sample", DevicePrivate: "/dev/sample-private", DeviceGroup: "6", DeviceNumber: "7:3", CgroupParent: "/sample",
	}
}
