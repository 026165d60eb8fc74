package landlock

import (
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"postern/gateway/confine/tree"
)

const (
	readFile  landlock.AccessFSSet = ll.AccessFSExecute | ll.AccessFSReadFile
	readTree                       = readFile | ll.AccessFSReadDir
	writeFile                      = readFile | ll.AccessFSWriteFile | ll.AccessFSTruncate

	// No device is made; what of its own is there is moved and linked at will, to
	// where it may do no more with it.
	writeTree = readTree | writeFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg |
		ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer
)

// Devices that are nothing but memory.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// Of /proc what says something of the machine or of the server itself: the parts
// of others hold their arguments, which anybody may read.
var machine = []string{
	"/proc/self", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat", "/proc/sys/fs",
	"/proc/sys/kernel", "/proc/sys/net/core", "/proc/sys/net/ipv4", "/proc/sys/vm", "/proc/uptime", "/proc/version", "/proc/vmstat",
}

// rules are the grants of a tree. A directory that leads to a secret place has
// none, and neither has a link: what it leads to has its own.
func rules(steps []tree.Step, w Weakness) []landlock.Rule {
	if w.Unruled {
		return nil
	}
	var all []landlock.Rule
	add := func(place string, write bool) {
		if access := rights(place, write); access != 0 {
			all = append(all, landlock.PathAccess(access, place).IgnoreIfMissing())
		}
	}
	for _, s := range steps {
		switch {
		case s.Does == tree.Show:
			add(s.Source, w.Writable)
		case s.Does == tree.Give && s.Source == s.Place: // in place of what is not there Landlock gives nothing
			add(s.Source, true)
		case s.Does == tree.MakeDirectory && w.Ancestors:
			add(s.Place, false)
		}
	}
	for _, place := range devices {
		all = append(all, landlock.PathAccess(writeFile&^ll.AccessFSExecute, place).IgnoreIfMissing())
	}
	for _, place := range machine {
		add(place, false)
	}
	return all
}

// rights are those of a place as it is now: none where it is gone.
func rights(place string, write bool) landlock.AccessFSSet {
	info, err := os.Stat(place)
	switch {
	case err != nil:
		return 0
	case info.IsDir() && write:
		return writeTree
	case info.IsDir():
		return readTree
	case write:
		return writeFile
	}
	return readFile
}
