package observers

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"postern/observers/canary"
)

// timerValues puts together what the timers of a process carry, in the order of
// their numbers: "ID: 0", "signal: 14/<the value in hexadecimal>",
// proc_pid_timers(5).
func timerValues(text string) (spelt []byte) {
	values := map[uint64]uint64{}
	number, known := uint64(0), false
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "ID":
			n, err := strconv.ParseUint(value, 10, 31)
			number, known = n, err == nil
		case "signal":
			_, value, _ = strings.Cut(value, "/")
			if n, err := strconv.ParseUint(value, 16, 64); err == nil && known {
				values[number] = n
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(values)) {
		spelt = binary.BigEndian.AppendUint64(spelt, values[number])
	}
	return spelt
}

// watchMask is what an inotify instance watches for, as far as anybody may
// choose it: "inotify wd:1 ino:2 sdev:3 mask:1ff ...", proc_pid_fdinfo(5).
func watchMask(info string) (mask uint64, ok bool) {
	_, after, ok := strings.Cut(info, "inotify wd:")
	if !ok {
		return 0, false
	}
	_, after, ok = strings.Cut(after, " mask:")
	if !ok {
		return 0, false
	}
	word, _, _ := strings.Cut(after, " ")
	mask, err := strconv.ParseUint(word, 16, 32)
	return mask & 0xfff, err == nil
}

// watchBytes is a secret spelt by masks: the number of a byte in the four high
// bits, and the byte. A watch for nothing is none, and so a byte may be missing.
type watchBytes struct {
	bytes [canary.Size]byte
	any   bool
}

func (w *watchBytes) add(info string) {
	if mask, ok := watchMask(info); ok {
		w.bytes[mask>>8], w.any = byte(mask), true
	}
}

// ringData puts together the marks of the requests that wait in a ring, in
// their order: "0: opcode:NOP, ... user_data:1".
func ringData(info string) (spelt []byte) {
	for line := range strings.Lines(info) {
		_, after, ok := strings.Cut(line, "user_data:")
		if !ok || !strings.Contains(line, "opcode:") {
			continue
		}
		value, _, _ := strings.Cut(strings.TrimSpace(after), ",")
		value, _, _ = strings.Cut(value, " ")
		if n, err := strconv.ParseUint(value, 10, 64); err == nil {
			spelt = binary.BigEndian.AppendUint64(spelt, n)
		}
	}
	return spelt
}
