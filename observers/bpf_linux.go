package observers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// The commands of bpf(2) that an observer needs, and the kind of map that it
// can read by number.
const (
	bpfMapCreate  = 0
	bpfMapLookup  = 1
	bpfMapUpdate  = 2
	bpfMapNextID  = 12
	bpfMapOpenID  = 14
	bpfObjectInfo = 15
	bpfArray      = 2
)

// NewBPF lists all BPF maps of the kernel, and searches their names and the
// first value of each array. Its pilots are maps of its own.
func NewBPF(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	return newLookout(channel.SinkBPF, pilots, false, spot{
		pilot: func(_ whereabouts, text string) (g glance, err error) {
			fd, err := newBPFMap(text)
			if err != nil {
				return g, fmt.Errorf("making a BPF map: %w", err)
			}
			defer unix.Close(fd)
			return readBPF(watch)
		},
		read: func(context.Context, whereabouts) (glance, error) { return readBPF(watch) },
	}), nil
}

// bpf makes one call; the union bpf_attr is as long as the caller's struct.
func bpf[A any](command uintptr, attr *A) (int, error) {
	n, _, errno := unix.Syscall(unix.SYS_BPF, command, uintptr(unsafe.Pointer(attr)), unsafe.Sizeof(*attr))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// bpfElement is the part of bpf_attr that names one value of a map.
type bpfElement struct {
	fd, _      uint32
	key, value uint64
	flags      uint64
}

func newBPFMap(text string) (int, error) {
	fd, err := bpf(bpfMapCreate, &struct {
		kind, keySize, valueSize, entries uint32
	}{bpfArray, 4, uint32(len(text)), 1})
	if err != nil {
		return 0, err
	}
	if err := bpfValue(bpfMapUpdate, fd, []byte(text)); err != nil {
		return 0, errors.Join(err, unix.Close(fd))
	}
	return fd, nil
}

// bpfValue moves the first value of a map in or out. Both are pinned: on a stack
// that grows meanwhile they would lie elsewhere than the number says.
func bpfValue(command uintptr, fd int, value []byte) error {
	key := new(uint32)
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(key)
	pins.Pin(&value[0])
	_, err := bpf(command, &bpfElement{
		fd: uint32(fd), key: uint64(uintptr(unsafe.Pointer(key))), value: uint64(uintptr(unsafe.Pointer(&value[0]))),
	})
	return err
}

// maxBPFValue bounds what is read of one map, in bytes.
const maxBPFValue = 64 << 10

func readBPF(watch *canary.Watch) (g glance, err error) {
	at := &struct{ start, next, flags uint32 }{}
	for {
		_, err := bpf(bpfMapNextID, at)
		if errors.Is(err, unix.ENOENT) {
			return g, nil // that was the last
		}
		if err != nil {
			return g, fmt.Errorf("listing BPF maps: %w", err)
		}
		at.start = at.next
		if err := readBPFMap(watch, at.next, &g); err != nil {
			return g, err
		}
	}
}

func readBPFMap(watch *canary.Watch, id uint32, g *glance) error {
	fd, err := bpf(bpfMapOpenID, &struct{ id, _, flags uint32 }{id: id})
	if errors.Is(err, unix.ENOENT) {
		return nil // gone meanwhile
	}
	if err != nil {
		return fmt.Errorf("opening a BPF map: %w", err)
	}
	defer unix.Close(fd)
	info := &struct {
		kind, id, keySize, valueSize, entries, flags uint32
		name                                         [16]byte
	}{}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(info)
	if _, err := bpf(bpfObjectInfo, &struct {
		fd, size uint32
		info     uint64
	}{uint32(fd), uint32(unsafe.Sizeof(*info)), uint64(uintptr(unsafe.Pointer(info)))}); err != nil {
		return fmt.Errorf("asking about a BPF map: %w", err)
	}
	g.see(watch, info.name[:])
	if info.kind != bpfArray || info.valueSize > maxBPFValue {
		return nil
	}
	value := make([]byte, (info.valueSize+7)/8*8)
	if err := bpfValue(bpfMapLookup, fd, value); err != nil {
		return fmt.Errorf("reading a BPF map: %w", err)
	}
	g.see(watch, value)
	return nil
}
