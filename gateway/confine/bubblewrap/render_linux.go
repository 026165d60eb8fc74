package bubblewrap

import (
	"bytes"
	"slices"
	"strings"

	"postern/gateway/guard"
)

// namespaces are the options that part a sandbox from the machine.
func (b Backend) namespaces(network bool, w Weakness) []string {
	options := slices.Clone(b.users)
	options = append(options, "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL")
	if !w.Processes {
		options = append(options, "--unshare-pid")
	}
	if !w.IPC {
		options = append(options, "--unshare-ipc")
	}
	if !w.Outlive {
		options = append(options, "--die-with-parent")
	}
	if !w.Session {
		options = append(options, "--new-session")
	}
	if network {
		options = append(options, "--unshare-net")
	}
	return options
}

// arguments are all options of bwrap but the command, where the tree stands at
// base already. The environment is the server's alone: bwrap must not load what
// it names.
func (b Backend) arguments(s Server, base string) []string {
	options := append(b.namespaces(s.Profile.Network != guard.NetFull, s.Weak),
		"--bind", base, "/", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--clearenv")
	for _, variable := range s.Env {
		if name, value, ok := strings.Cut(variable, "="); ok && name != "" {
			options = append(options, "--setenv", name, value)
		}
	}
	return options
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
