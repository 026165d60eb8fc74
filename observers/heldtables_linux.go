package observers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"postern/observers/canary"
)

// netlink reads what the addresses of the container's netlink sockets spell.
func (h *holdings) netlink(first string) error {
	text, err := os.ReadFile(first + "/net/netlink")
	if err != nil {
		return fmt.Errorf("reading the kernel's netlink sockets: %w", err)
	}
	for _, spelt := range netlinkAddresses(string(text)) {
		h.scan(spelt)
	}
	return nil
}

// netlinkAddresses puts together, protocol by protocol, the low three bytes of
// addresses in the order of their highest, a small number: "sk Eth Pid ...". An
// address that the kernel chose is a process's number or a negative one.
func netlinkAddresses(table string) (all [][]byte) {
	byProtocol := map[string][]uint32{}
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		if n, err := strconv.ParseUint(f[2], 10, 32); err == nil && 0 < n>>24 && n>>24 < 0x80 {
			byProtocol[f[1]] = append(byProtocol[f[1]], uint32(n))
		}
	}
	for _, protocol := range slices.Sorted(maps.Keys(byProtocol)) {
		var spelt []byte
		for _, n := range slices.Sorted(slices.Values(byProtocol[protocol])) {
			spelt = append(spelt, byte(n>>16), byte(n>>8), byte(n))
		}
		all = append(all, spelt)
	}
	return all
}

// packets reads what the protocols of the container's packet sockets spell.
func (h *holdings) packets(first string) error {
	text, err := os.ReadFile(first + "/net/packet")
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a kernel without the family
	}
	if err != nil {
		return fmt.Errorf("reading the kernel's packet sockets: %w", err)
	}
	h.scan(packetProtocols(string(text)))
	return nil
}

// packetProtocols reads lines in the order in which the sockets were made: "sk
// RefCnt Type Proto ...", the protocol in hexadecimal.
func packetProtocols(table string) (spelt []byte) {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 9 {
			continue
		}
		if n, err := strconv.ParseUint(f[3], 16, 16); err == nil {
			spelt = binary.BigEndian.AppendUint16(spelt, uint16(n))
		}
	}
	return spelt
}

// fileLocks reads what the offsets of locks of each process spell.
func (h *holdings) fileLocks(pids []int) error {
	all, err := allLocks()
	if err != nil {
		return fmt.Errorf("reading the kernel's table of locks: %w", err)
	}
	for _, pid := range pids {
		h.scan(lockedOffsets(all, strconv.Itoa(pid)))
	}
	return nil
}

// lockedOffsets puts together the low words of the offsets at which one process
// has locks, in the order of the whole. A bit high above marks those that are
// meant.
func lockedOffsets(all []fileLock, pid string) []byte {
	var starts []uint64
	for _, l := range all {
		if l.kind == "POSIX" && l.pid == pid && l.start>>40 == 1 {
			starts = append(starts, l.start)
		}
	}
	return spellOffsets(starts)
}

// maxShm is how much shared memory the hardened profile has room for.
const maxShm = 1 << 20

// beyondShm is the last of an open file that takes more room than there should
// be.
func beyondShm(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "shm")
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Blocks*512 <= maxShm {
		return nil, err
	}
	b := make([]byte, 4*canary.Size)
	n, err := f.ReadAt(b, max(0, st.Size-int64(len(b))))
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

// keysOf counts the keys of a user: "uid: usage keys/instantiated ...",
// proc_key-users(5). A kernel without keys tells of none.
func keysOf(uid int) (int, error) {
	text, err := os.ReadFile("/proc/key-users")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("counting a user's keys: %w", err)
	}
	return keysIn(string(text), uid), nil
}

func keysIn(table string, uid int) int {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != strconv.Itoa(uid)+":" {
			continue
		}
		count, _, _ := strings.Cut(f[2], "/")
		n, err := strconv.Atoi(count)
		if err == nil {
			return n
		}
	}
	return 0
}
