package observers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// SweepIPC takes the objects away that trials left in the host's IPC namespace
// because their harness was killed: those whose key says that they are a
// trial's, whose owner is that trial's user, root or ours, and of whose user alive
// says that no run has it.
func SweepIPC(alive func(uid int) bool) error {
	host := space{shm: "/dev/shm"}
	found, err := host.keys()
	if err != nil {
		return fmt.Errorf("looking for IPC objects of killed runs: %w", err)
	}
	var errs []error
	for key, owner := range found {
		user, ours := userOf(key)
		if ours && (owner == user || owner == 0 || owner == os.Getuid()) && !alive(user) {
			errs = append(errs, host.remove(key))
		}
	}
	return errors.Join(errs...)
}

// userOf is the user of the trial that a key belongs to, the agent's own or a
// pilot's.
func userOf(key int) (uid int, ours bool) {
	uid = key & (1<<28 - 1)
	return uid, key-uid == ipcAgent || key-uid == ipcPilot
}

// keys lists the keys in this namespace, each with the owner of one of its
// objects. POSIX queues are not listed anywhere: they are left together with
// the others.
func (s space) keys() (map[int]int, error) {
	all := map[int]int{}
	for _, kind := range []string{"shm", "msg", "sem"} {
		text, err := os.ReadFile("/proc/sysvipc/" + kind)
		if err != nil {
			return nil, withoutPath(err)
		}
		for key, owner := range parseKeys(string(text)) {
			all[key] = owner
		}
	}
	names, err := filepath.Glob(filepath.Join(s.shm, "postern-*"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		key, err := strconv.ParseInt(strings.TrimPrefix(filepath.Base(name), "postern-"), 16, 32)
		if owner, known := ownerOf(name); err == nil && known {
			all[int(key)] = owner
		}
	}
	return all, nil
}

// parseKeys reads a table of sysvipc(7): the first line names its columns.
func parseKeys(table string) map[int]int {
	all := map[int]int{}
	head, rows, _ := strings.Cut(table, "\n")
	at := -1
	for i, name := range strings.Fields(head) {
		if name == "uid" {
			at = i
		}
	}
	for row := range strings.Lines(rows) {
		words := strings.Fields(row)
		if at < 1 || len(words) <= at {
			continue
		}
		key, bad := strconv.Atoi(words[0])
		owner, err := strconv.Atoi(words[at])
		if bad == nil && err == nil {
			all[key] = owner
		}
	}
	return all
}

// ownerOf is the owner of a file, and of no link's target.
func ownerOf(path string) (uid int, known bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
