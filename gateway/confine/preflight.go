package confine

import (
	"slices"
	"strings"
)

// Facts are what the host and the Engine say of themselves. HostFacts fills
// the host's half, the backend its own.
type Facts struct {
	OS                string // of this process, GOOS
	HostKernel        string // release of the kernel under this process
	KernelCorePattern string // /proc/sys/kernel/core_pattern
	CoreSoft          uint64 // RLIMIT_CORE of this process, bytes
	CoreHard          uint64

	Socket          string // how the Engine is reached
	SocketIsUnix    bool   // Socket names a unix socket in the file system
	PeerIsDockerd   bool   // the process behind it is the Engine or the init that started it
	EngineOS        string // "linux"
	OperatingSystem string // the Engine's name for its system
	EngineKernel    string // release of the kernel under the Engine
	EngineSecurity  []string
}

// maxCore is the highest hard limit on cores, in bytes: no core is as small, and
// one that is piped is refused at this very limit (core(5)).
const maxCore = 1

// Preflight refuses a host on which the profile would not mean what it says.
// The zero Facts are refused.
func Preflight(f Facts) []Refusal {
	rows := []struct {
		control Control
		good    bool
	}{
		{HostNativeLinux, f.OS == "linux" && f.EngineOS == "linux" && !desktop(f)},
		{HostEngineKernel, f.EngineKernel != "" && f.EngineKernel == f.HostKernel},
		{HostEngineSeccomp, slices.ContainsFunc(f.EngineSecurity, filtersByDefault)},
		{HostLocalSocket, f.SocketIsUnix && strings.HasPrefix(f.Socket, "/")},
		{HostSocketPeer, f.PeerIsDockerd},
		{HostCorePattern, coreToFile(f.KernelCorePattern)},
		{HostCoreLimit, f.CoreSoft == 0 && f.CoreHard <= maxCore},
	}
	var weak []Control
	for _, r := range rows {
		if !r.good {
			weak = append(weak, r.control)
		}
	}
	return Refuse(StageHost, weak)
}

// PreflightCell refuses a host on which a profile would not mean what it says
// for a sandbox that no Engine makes. The zero Facts are refused.
func PreflightCell(f Facts) []Refusal {
	f.EngineOS, f.OperatingSystem, f.EngineKernel = f.OS, f.OS, f.HostKernel // which are the host's own
	var weak []Refusal
	for _, r := range Preflight(f) {
		switch r.Control {
		case HostEngineSeccomp, HostLocalSocket, HostSocketPeer:
		default:
			weak = append(weak, r)
		}
	}
	return weak
}

// desktop tells the virtual machines of Docker Desktop and of WSL, where the
// files, sockets and /proc that observers read are not those of the Engine.
func desktop(f Facts) bool {
	kernel := strings.ToLower(f.EngineKernel)
	return f.OperatingSystem == "" || strings.Contains(f.OperatingSystem, "Docker Desktop") ||
		strings.Contains(kernel, "linuxkit") || strings.Contains(kernel, "microsoft")
}

// filtersByDefault reads one of the Engine's security options. Engines before
// 23 call their own filter "default", later ones "builtin"; a file given to the
// daemon is called by its path, and could allow anything.
func filtersByDefault(option string) bool {
	return option == "name=seccomp,profile=default" || option == "name=seccomp,profile=builtin"
}

// coreToFile refuses a pattern that hands the core to a program ("|", core(5))
// or to a socket ("@", Linux 6.16): both happen in spite of RLIMIT_CORE 0.
func coreToFile(pattern string) bool {
	p := strings.TrimSpace(pattern)
	return p != "" && p[0] != '|' && p[0] != '@'
}
