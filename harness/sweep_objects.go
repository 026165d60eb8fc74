package harness

import (
	"os"
	"strconv"

	"postern/gateway/confine/bubblewrap/cell"
	"postern/observers"
)

// maxPID bounds the numbers of processes on Linux (PID_MAX_LIMIT,
// linux/threads.h).
const maxPID = 1 << 22

// sweepObjects removes what agents of killed runs left in the host's IPC
// namespace. Their user ids tell the process of the run, all but its highest
// bits.
func sweepObjects() error { return observers.SweepIPC(runLives) }

// sweepCells removes the cgroups of cells that killed runs left, which only root
// makes.
func sweepCells() error {
	if os.Geteuid() != 0 {
		return nil
	}
	return cell.Sweep()
}

// runLives reports whether there may be a run that gave this user id away. In
// doubt there is.
func runLives(uid int) bool {
	if uid < firstUID || uid >= firstUID+runsOfUIDs*uidsOfOneRun {
		return true
	}
	for pid := (uid - firstUID) / uidsOfOneRun; pid < maxPID; pid += runsOfUIDs {
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			return true
		}
	}
	return false
}
