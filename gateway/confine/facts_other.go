//go:build !linux

package confine

import (
	"errors"
	"runtime"
)

// HostFacts knows the name of the system only, which Preflight refuses.
func HostFacts() (Facts, error) {
	const unlimited = ^uint64(0)
	return Facts{OS: runtime.GOOS, CoreSoft: unlimited, CoreHard: unlimited}, nil
}

// DenyCores is known on Linux only.
func DenyCores() error {
	return errors.New("setting the core limit: known on Linux only")
}
