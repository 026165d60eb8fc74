package bubblewrap

import (
	"bytes"

	"postern/gateway/guard"
)

// maxArguments is below what bwrap reads before it gives up.
const maxArguments = 8900

// namespaces are the options that part a sandbox from the machine.
func (b Backend) namespaces(network bool) []string {
	options := append([]string{}, b.users...)
	options = append(options, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--new-session")
	if network {
		options = append(options, "--unshare-net")
	}
	return options
}

// arguments are all options of bwrap but the command.
func (b Backend) arguments(p guard.Profile, steps []step) []string {
	options := b.namespaces(p.Network != guard.NetFull)
	for _, s := range steps {
		switch s.does {
		case "tmpfs":
			options = append(options, "--perms", "1777", "--tmpfs", s.place)
		case "dir":
			options = append(options, "--dir", s.place)
		default:
			options = append(options, "--"+s.does, s.source, s.place)
		}
	}
	return append(options, "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/")
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
