package confine

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// HostFacts gathers the host's half of Facts. What cannot be read is an error.
func HostFacts() (Facts, error) {
	pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	if err != nil {
		return Facts{}, fmt.Errorf("reading the core pattern: %w", err)
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return Facts{}, fmt.Errorf("reading the kernel release: %w", err)
	}
	var core unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &core); err != nil {
		return Facts{}, fmt.Errorf("reading the core limit: %w", err)
	}
	return Facts{
		OS:                runtime.GOOS,
		HostKernel:        unix.ByteSliceToString(name.Release[:]),
		KernelCorePattern: strings.TrimSuffix(string(pattern), "\n"),
		CoreSoft:          core.Cur,
		CoreHard:          core.Max,
	}, nil
}

// DenyCores makes sure that this process, which holds plaintext, leaves no
// core file. It cannot be undone, and is inherited. The hard limit stays at one
// byte, which no core fits, for an Engine that is started from here and must
// give containers the limit 1:1.
func DenyCores() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		return fmt.Errorf("reading the core limit: %w", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Max: min(limit.Max, maxCore)}); err != nil {
		return fmt.Errorf("setting the core limit to zero: %w", err)
	}
	return nil
}
