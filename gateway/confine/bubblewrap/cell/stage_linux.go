package cell

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// The descriptors of the stage, of which bwrap keeps all but the first.
const (
	ordersFD = 3 + iota
	blockFD
	statusFD
	filterFD
)

// stageFailed is the exit code of a stage that could not become bwrap.
const stageFailed = 125

// Stage joins the cell's cgroups, takes its limits and its user, and becomes
// bwrap. It returns only where it fails.
func Stage() int {
	if err := become(); err != nil {
		fmt.Fprintln(os.Stderr, "postern: making a cell:", err)
	}
	return stageFailed
}

func become() error {
	var o orders
	in := os.NewFile(ordersFD, "orders")
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	in.Close()
	for _, dir := range o.Cgroups {
		if err := os.WriteFile(filepath.Join(dir, procs), []byte("0"), 0); err != nil { // 0 is who writes
			return err
		}
	}
	for _, l := range o.Limits {
		if err := unix.Setrlimit(l.Resource, &unix.Rlimit{Cur: l.Soft, Max: l.Hard}); err != nil {
			return err
		}
	}
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte(strconv.FormatInt(o.OOMScore, 10)), 0); err != nil {
		return err
	}
	if err := syscall.Setgroups(o.Groups); err != nil {
		return err
	}
	if err := syscall.Setresgid(o.GID, o.GID, o.GID); err != nil {
		return err
	}
	if err := syscall.Setresuid(o.UID, o.UID, o.UID); err != nil {
		return err
	}
	return syscall.Exec(o.Arguments[0], o.Arguments, []string{}) // until its program runs, a cell has no environment
}
