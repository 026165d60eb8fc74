package observers

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// inode names one file of this host.
type inode struct {
	major, minor uint32
	number       uint64
}

// fileLock is one line of the kernel's table.
type fileLock struct {
	kind  string // "POSIX", "OFDLCK", "FLOCK"
	pid   string // of who took it, a number; "-1" where it is nobody's
	on    inode
	start uint64
}

// locks reads proc_locks(5): "1: POSIX  ADVISORY  READ  PID MAJ:MIN:INODE START
// END". Lines of those who wait for a lock have a "->" in them; they hold none.
// A line that says something else is of no lock on a file of ours.
func locks(table string) []fileLock {
	var all []fileLock
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) != 8 || f[1] == "->" {
			continue
		}
		on, ok := inodeOf(f[5])
		start, err := strconv.ParseUint(f[6], 10, 64)
		if ok && err == nil {
			all = append(all, fileLock{f[1], f[4], on, start})
		}
	}
	return all
}

func inodeOf(s string) (inode, bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 3 {
		return inode{}, false
	}
	major, err1 := strconv.ParseUint(parts[0], 16, 32)
	minor, err2 := strconv.ParseUint(parts[1], 16, 32)
	number, err3 := strconv.ParseUint(parts[2], 10, 64)
	return inode{uint32(major), uint32(minor), number}, err1 == nil && err2 == nil && err3 == nil
}

// spellOffsets joins the low words of offsets, in order of the whole.
func spellOffsets(starts []uint64) []byte {
	var out []byte
	for _, start := range slices.Sorted(slices.Values(starts)) {
		out = binary.BigEndian.AppendUint32(out, uint32(start))
	}
	return out
}
