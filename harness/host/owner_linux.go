package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Self names the calling process.
func Self() (Owner, error) { return Of(os.Getpid()) }

// Of names a process that runs.
func Of(pid int) (Owner, error) {
	o, err := ownerOf(pid)
	if err != nil {
		return Owner{}, err
	}
	if o == nil {
		return Owner{}, errors.New("naming a process: it does not run, or proc is not mounted at /proc")
	}
	return *o, nil
}

// ownerOf returns nil where no such process runs. A zombie holds no container.
func ownerOf(pid int) (*Owner, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return nil, fmt.Errorf("reading the boot id: %w", err)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading a process's start time: %w", err)
	}
	if _, rest, _ := cutLast(string(stat), ") "); strings.HasPrefix(rest, "Z") {
		return nil, nil
	}
	start, err := startTicks(string(stat))
	if err != nil {
		return nil, err
	}
	return &Owner{PID: pid, Start: start, Boot: strings.TrimSpace(string(boot))}, nil
}
