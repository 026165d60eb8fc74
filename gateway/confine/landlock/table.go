package landlock

import (
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"postern/gateway/guard"
)

// Row is one class of what Landlock refuses, and the first version of it that can:
// https://docs.kernel.org/userspace-api/landlock.html.
type Row struct {
	What string
	ABI  int

	files  landlock.AccessFSSet
	net    landlock.AccessNetSet
	scoped landlock.ScopedSet
}

// Table is what is enforced of each server, by the version that it takes.
func Table() []Row {
	return []Row{
		{What: "reading, running, writing, making and removing", ABI: 1, files: ll.AccessFSRefer - 1},
		{What: "moving and linking from one directory to another", ABI: 2, files: ll.AccessFSRefer},
		{What: "truncating", ABI: 3, files: ll.AccessFSTruncate},
		{What: "connecting and listening by TCP", ABI: 4, net: ll.AccessNetBindTCP | ll.AccessNetConnectTCP},
		{What: "commands to devices", ABI: 5, files: ll.AccessFSIoctlDev},
		{What: "signals and abstract sockets of others", ABI: 6, scoped: ll.ScopeAbstractUnixSocket | ll.ScopeSignal},
	}
}

// Least is the version that all of the table takes. A profile with a network could
// do without the rules of TCP, which makes no difference to it.
func Least() int {
	least := 0
	for _, r := range Table() {
		least = max(least, r.ABI)
	}
	return least
}

// config is what is refused unless a rule grants it; there is no best effort.
func config(n guard.Network, w Weakness) landlock.Config {
	var c landlock.Config
	for _, r := range Table() {
		c.HandledAccessFS |= r.files
		c.HandledAccessNet |= r.net
		c.Scoped |= r.scoped
	}
	if w.Unruled {
		c.HandledAccessFS = 0
	}
	if n == guard.NetFull || w.Connecting {
		c.HandledAccessNet = 0
	}
	if w.Unscoped {
		c.Scoped = 0
	}
	return c
}
