package residual

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"
)

// pause is between two looks, and patience for all of them: what the agent has
// put somewhere is there when it says so, but for what others write down.
const (
	pause    = 20 * time.Millisecond
	patience = 2 * time.Second
	maxRead  = 1 << 20 // bytes of any one answer
)

// until looks again and again, since not all that the agent does is written
// down at once, and gives up without an error.
func until(ctx context.Context, look func() (Bits, error)) (Bits, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		heard, err := look()
		if err != nil || heard != nil {
			return heard, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, nil
		}
	}
}

func top(ctx context.Context, t Target) (Bits, error) {
	return until(ctx, func() (Bits, error) {
		list, err := t.API.ContainerTop(ctx, t.Container, nil)
		if err != nil {
			return nil, fmt.Errorf("listing processes: %w", err)
		}
		for _, row := range list.Processes {
			if heard := inText(strings.Join(row, " ")); heard != nil {
				return heard, nil
			}
		}
		return nil, nil
	})
}

// commandLines reads those of the container's processes, as any user can.
func commandLines(ctx context.Context, t Target) (Bits, error) {
	return until(ctx, func() (Bits, error) {
		pids, err := processesOf(t)
		if err != nil {
			return nil, err
		}
		for _, pid := range pids {
			b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil {
				continue // it ended
			}
			if heard := inText(strings.ReplaceAll(string(b), "\x00", " ")); heard != nil {
				return heard, nil
			}
		}
		return nil, nil
	})
}

// processesOf lists the container's processes as the cgroup does.
func processesOf(t Target) ([]int, error) {
	b, err := readCounter(t, "pids", "cgroup.procs")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, field := range strings.Fields(b) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, errors.New("listing a cgroup's processes: the kernel gave no number")
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

func threadNames(ctx context.Context, t Target) (Bits, error) {
	return until(ctx, func() (Bits, error) {
		names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", t.PID))
		if err != nil {
			return nil, err
		}
		var all strings.Builder
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err == nil {
				all.Write(b)
			}
		}
		return inNames(all.String()), nil
	})
}

func sharedMemory(ctx context.Context, t Target) (Bits, error) {
	return until(ctx, func() (Bits, error) {
		names, err := filepath.Glob(fmt.Sprintf("/proc/%d/root/dev/shm/*", t.PID))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if heard, err := inFile(name); err != nil || heard != nil {
				return heard, err
			}
		}
		return nil, nil
	})
}

func inFile(name string) (Bits, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading shared memory: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRead))
	if err != nil {
		return nil, fmt.Errorf("reading shared memory: %w", err)
	}
	return inText(string(b)), nil
}

// execute asks the Engine for a process of the container's that prints the
// file: the image holds no program but the agent.
func execute(ctx context.Context, t Target) (Bits, error) {
	made, err := t.API.ContainerExecCreate(ctx, t.Container, container.ExecOptions{
		Cmd: []string{"/agent", "print"}, AttachStdout: true,
	})
	if err != nil {
		return nil, fmt.Errorf("asking for a process in the container: %w", err)
	}
	a, err := t.API.ContainerExecAttach(ctx, made.ID, container.ExecAttachOptions{})
	if err != nil {
		return nil, fmt.Errorf("running a process in the container: %w", err)
	}
	defer a.Close()
	var out strings.Builder
	if _, err := stdcopy.StdCopy(&out, io.Discard, io.LimitReader(a.Reader, maxRead)); err != nil {
		return nil, fmt.Errorf("reading from a process in the container: %w", err)
	}
	return inText(out.String()), nil
}
