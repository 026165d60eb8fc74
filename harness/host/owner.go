package host

import (
	"fmt"
	"strconv"
	"strings"
)

// Owner names one process for ever: a pid alone comes round again, and a pid
// with its start time does so after a reboot.
type Owner struct {
	PID   int
	Start uint64 // clock ticks since boot, field 22 of /proc/PID/stat, proc(5)
	Boot  string // /proc/sys/kernel/random/boot_id
}

// String is the form that a container's label holds.
func (o Owner) String() string { return fmt.Sprintf("%d.%d.%s", o.PID, o.Start, o.Boot) }

// ParseOwner reads what String wrote.
func ParseOwner(s string) (Owner, error) {
	pid, rest, _ := strings.Cut(s, ".")
	start, boot, ok := strings.Cut(rest, ".")
	o := Owner{Boot: boot}
	var err error
	if o.PID, err = strconv.Atoi(pid); err != nil || o.PID <= 0 || !ok || boot == "" {
		return Owner{}, fmt.Errorf("an owner label must be PID.START.BOOT")
	}
	if o.Start, err = strconv.ParseUint(start, 10, 64); err != nil {
		return Owner{}, fmt.Errorf("an owner label must be PID.START.BOOT")
	}
	return o, nil
}

// Alive reports whether that very process still runs. Where it cannot tell, it
// says so: sweeping on a guess would take a live trial's container away.
func (o Owner) Alive() (bool, error) {
	now, err := ownerOf(o.PID)
	if err != nil {
		return false, err
	}
	return now != nil && *now == o, nil
}

// startTicks reads field 22 of a stat line. The second field is the command in
// parentheses and may hold spaces and parentheses itself, so count from the last.
func startTicks(stat string) (uint64, error) {
	_, rest, ok := cutLast(stat, ")")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 20 {
		return 0, fmt.Errorf("reading a process's start time: the stat line is short")
	}
	return strconv.ParseUint(fields[19], 10, 64)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
