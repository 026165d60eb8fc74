// Package host says what this machine is and can do, as plain values.
//
// Decisions elsewhere are pure functions of these values, so that they can be
// tested on any machine. Nothing here changes the machine.
package host

import (
	"net"
	"runtime"

	"postern/fixtures/compat"
)

// Facts describes the machine in numbers and closed words.
type Facts struct {
	OS, Arch      string
	Kernel        string // release, as uname prints it
	CPUs          int
	CgroupVersion int  // 1, 2, or 0 where it has none
	LoopbackIPv6  bool // a listener can bind ::1
	CompatCalls   bool // the kernel has an entry for 32-bit programs
}

// Look gathers the facts.
func Look() Facts {
	return Facts{
		OS:            runtime.GOOS,
		Arch:          runtime.GOARCH,
		Kernel:        kernel(),
		CPUs:          runtime.NumCPU(),
		CgroupVersion: cgroupVersion(),
		LoopbackIPv6:  canBind("tcp6", "[::1]:0"),
		CompatCalls:   compat.Works(),
	}
}

// Cannot says why this machine cannot run the main job and what to do about
// it, or nothing.
func (f Facts) Cannot() (reason string) {
	switch {
	case f.OS != "linux":
		return "the main job needs a Linux host with a local Docker Engine; run it on one"
	case !f.LoopbackIPv6:
		return "no listener can bind ::1, so the IPv6 channels would go unheard; switch IPv6 on for lo: sysctl net.ipv6.conf.lo.disable_ipv6=0"
	}
	return ""
}

func canBind(network, address string) bool {
	l, err := net.Listen(network, address)
	if err != nil {
		return false
	}
	l.Close()
	return true
}
