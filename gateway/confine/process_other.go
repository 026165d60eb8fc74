//go:build !linux

package confine

import "errors"

// ReadProcess is known on Linux only.
func ReadProcess(int, string) (Process, error) {
	return Process{}, errors.New("reading a process: known on Linux only")
}

// CgroupMount is nowhere: cgroups are Linux's.
func CgroupMount(string) string { return "" }
