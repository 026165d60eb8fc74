package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// diskBytes is as much as the device observer reads.
const diskBytes = 256 << 10

// diskGroup is the group that disks are given to by custom. No agent is in it.
const diskGroup = 6

// makeDevice puts a loop device before a file in the trial's directory, and
// nodes for it beside that. The device ends with the last descriptor of it, so
// that nothing is left of a killed run.
func makeDevice(_ context.Context, t *trial) (func() error, error) {
	image, err := os.OpenFile(filepath.Join(t.dir, disk), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("making a disk: %w", err)
	}
	defer image.Close()
	if err := image.Truncate(diskBytes); err != nil {
		return nil, fmt.Errorf("making a disk: %w", err)
	}
	loop, err := attachLoop(image)
	if err != nil {
		return nil, err
	}
	if err := t.nodes(loop); err != nil {
		return nil, errors.Join(err, loop.Close())
	}
	return loop.Close, nil
}

// attachLoop takes a free loop device; others may be faster, so it tries again.
func attachLoop(image *os.File) (*os.File, error) {
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return nil, &unable{"no-loop-devices"}
	}
	defer control.Close()
	for range 10 {
		n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return nil, fmt.Errorf("looking for a free loop device: %w", err)
		}
		loop, err := os.OpenFile(fmt.Sprintf("/dev/loop%d", n), os.O_RDWR, 0)
		if err != nil {
			return nil, fmt.Errorf("opening a loop device: %w", err)
		}
		config := &unix.LoopConfig{Fd: uint32(image.Fd()), Info: unix.LoopInfo64{Flags: unix.LO_FLAGS_AUTOCLEAR}}
		err = unix.IoctlLoopConfigure(int(loop.Fd()), config)
		if err == nil {
			return loop, nil
		}
		loop.Close()
		if !errors.Is(err, unix.EBUSY) {
			return nil, fmt.Errorf("setting up a loop device: %w", err)
		}
	}
	return nil, errors.New("setting up a loop device: others take every free one")
}

// nodes makes two nodes of a device: the Engine gives a container's the mode of
// the one that it is told of.
func (t *trial) nodes(loop *os.File) error {
	info, err := loop.Stat()
	if err != nil {
		return fmt.Errorf("looking at a loop device: %w", err)
	}
	var number int
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		number = int(stat.Rdev)
	}
	t.site.Device, t.site.DevicePrivate = filepath.Join(t.dir, "node"), filepath.Join(t.dir, "private-node")
	t.site.DeviceNumber = fmt.Sprintf("%d:%d", unix.Major(uint64(number)), unix.Minor(uint64(number)))
	for path, mode := range map[string]uint32{t.site.Device: 0o666, t.site.DevicePrivate: 0o660} {
		if err := unix.Mknod(path, unix.S_IFBLK|mode, number); err != nil {
			return fmt.Errorf("making a node of a loop device: %w", err)
		}
		if err := os.Chmod(path, os.FileMode(mode)); err != nil {
			return fmt.Errorf("making a node of a loop device: %w", err)
		}
	}
	if err := os.Chown(t.site.DevicePrivate, 0, diskGroup); err != nil {
		return fmt.Errorf("giving a node of a loop device to a group: %w", err)
	}
	t.site.DeviceGroup = strconv.Itoa(diskGroup)
	return nil
}
