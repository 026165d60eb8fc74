package mutants

// What the mutants of the request need: a user of the Engine, other than the
// gateway, who acts on the container while the session goes on.
const (
	NeedExec  Need = "engine-user-exec"  // has a process run beside the agent and takes its output
	NeedPause Need = "engine-user-pause" // pauses the container and lets it go on

	NeedMorePids   Need = "engine-user-pids"   // allows more processes
	NeedMoreMemory Need = "engine-user-memory" // allows more memory

	NeedBlock      Need = "block-device" // one of the host's, which nobody opens
	NeedHostMounts Need = "host-mounts"  // an Engine that can be asked to leave a container in the host's mount namespace
	NeedShellImage Need = "shell-image"  // a shell is declared, which admission does not know
)
