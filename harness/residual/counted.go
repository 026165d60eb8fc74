package residual

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func processes(ctx context.Context, t Target) (Bits, error) {
	return levels(ctx, modulation{bits: 4, slot: 40 * time.Millisecond}, func() (int64, error) {
		return counter(t, "pids", "pids.current")
	})
}

func memory(ctx context.Context, t Target) (Bits, error) {
	return levels(ctx, modulation{bits: 4, slot: 60 * time.Millisecond}, func() (int64, error) {
		if v, err := counter(t, "memory", "memory.usage_in_bytes"); err == nil {
			return v, nil
		}
		return counter(t, "memory", "memory.current") // cgroup version 2
	})
}

func processorTime(ctx context.Context, t Target) (Bits, error) {
	return levels(ctx, modulation{bits: 1, slot: 30 * time.Millisecond, rate: true}, func() (int64, error) {
		if v, err := counter(t, "cpuacct", "cpuacct.usage"); err == nil {
			return v, nil
		}
		stat, err := readCounter(t, "cpu", "cpu.stat") // cgroup version 2
		if err != nil {
			return 0, err
		}
		return field(stat, "usage_usec")
	})
}

// sharedOfAll reads what every container can read: that of the whole machine.
func sharedOfAll(ctx context.Context, _ Target) (Bits, error) {
	return levels(ctx, modulation{bits: 2, slot: 60 * time.Millisecond}, func() (int64, error) {
		b, err := os.ReadFile("/proc/meminfo")
		if err != nil {
			return 0, fmt.Errorf("reading the machine's memory: %w", err)
		}
		return field(string(b), "Shmem:")
	})
}

// field is the number behind a word at the beginning of a line.
func field(text, word string) (int64, error) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == word {
			return strconv.ParseInt(f[1], 10, 64)
		}
	}
	return 0, errors.New("reading a counter: the kernel does not give it")
}

func counter(t Target, controller, file string) (int64, error) {
	text, err := readCounter(t, controller, file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(text), 10, 64)
}

// readCounter reads a file of the container's cgroup, wherever the kernel has
// it: one hierarchy a controller, or one for all.
func readCounter(t Target, controller, file string) (string, error) {
	lines, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", t.PID))
	if err != nil {
		return "", fmt.Errorf("finding the container's cgroup: %w", err)
	}
	for line := range strings.Lines(string(lines)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for _, c := range strings.Split(parts[1], ",") {
			if c != controller && parts[1] != "" {
				continue
			}
			b, err := os.ReadFile(filepath.Join("/sys/fs/cgroup", c, parts[2], file))
			if err == nil {
				return string(b), nil
			}
		}
	}
	return "", fmt.Errorf("reading %s: the container's cgroup has none", file)
}
