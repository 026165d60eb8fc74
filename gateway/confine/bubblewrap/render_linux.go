package bubblewrap

import (
	"bytes"
	"slices"

	"postern/gateway/guard"
)

// namespaces are the options that part a sandbox from the machine.
func (b Backend) namespaces(network bool) []string {
	options := slices.Clone(b.users)
	options = append(options, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--new-session")
	if network {
		options = append(options, "--unshare-net")
	}
	return options
}

// arguments are all options of bwrap but the command, where the tree stands at
// base already.
func (b Backend) arguments(p guard.Profile, base string) []string {
	return append(b.namespaces(p.Network != guard.NetFull),
		"--bind", base, "/", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/")
}

// terminated is how --args takes them.
func terminated(arguments []string) []byte {
	var b bytes.Buffer
	for _, a := range arguments {
		b.WriteString(a)
		b.WriteByte(0)
	}
	return b.Bytes()
}
