// Package cell runs an adversarial agent in a sandbox of its own by bubblewrap
// (bwrap, https://github.com/containers/bubblewrap), where no Docker Engine is
// at hand.
//
// It promises that rendering is pure and refuses what bubblewrap has no means
// for; that nothing of the agent's runs before Start, though its namespaces and
// mounts stand and can be compared; that what the kernel says of the first process
// is compared as closed as an Engine's container is; and that a cell dies with the
// thread that made it and leaves no process, cgroup or descriptor behind. (The
// cgroup above those of all cells stays, as an Engine's does.)
//
// It needs root: each agent is given a user of its own on the host, and cgroups
// for its processes and its memory. It knows of no account but the kernel's: that
// somebody entered a cell and left it again is not seen.
//
// A program that makes cells calls Stage where its first argument is StageCommand.
package cell

import (
	"slices"
	"strings"

	"postern/gateway/confine"
)

// StageCommand is the first argument by which a program that makes cells is run
// once more, to become bwrap with the agent's user and limits.
const StageCommand = "cell"

// Plan is what a cell is made of.
type Plan struct {
	Bwrap   string   // the program, an absolute path
	Stage   []string // the program that calls Stage, and what makes it do so
	Root    string   // the agent's root directory on the host, of this cell alone
	Command []string // in it, where the profile names none
	Profile confine.Profile
}

// Unfit is the error of a profile that bubblewrap has no means for.
type Unfit struct{ Control confine.Control }

func (u *Unfit) Error() string {
	return "rendering a cell: bubblewrap has no means for the profile's " + string(u.Control)
}

// orders are what the stage is told.
type orders struct {
	Cgroups   []string // to join
	Limits    []limit
	OOMScore  int64
	UID, GID  int
	Groups    []int
	Arguments []string // bwrap's, itself first
}

// limit is one for prlimit(2).
type limit struct {
	Resource   int
	Soft, Hard uint64
}

// search is the path that the Engine gives to all.
const search = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// masked are what an Engine hides of the kernel's files in every container, as
// far as a cell has them.
func masked() []string {
	return []string{"/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats"}
}

// shown are what it lets nobody write to.
func shown() []string {
	return []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"}
}

// bind is a directory or file of the host's in the cell.
type bind struct {
	source, target string
	readonly       bool
}

// binds are those of a profile. What is no bind is not for bubblewrap.
func binds(p confine.Profile) (all []bind, fit bool) {
	for _, text := range p.Binds {
		parts := append(strings.SplitN(text, ":", 3), "", "")
		all = append(all, bind{parts[0], parts[1], slices.Contains(strings.Split(parts[2], ","), "ro")})
	}
	for _, m := range p.Mounts {
		if m.Type != "bind" || m.Propagation != "" {
			return nil, false
		}
		all = append(all, bind{m.Source, m.Target, m.ReadOnly})
	}
	return all, true
}
