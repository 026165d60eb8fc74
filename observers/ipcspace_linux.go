package observers

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// space is an IPC namespace as one of its own sees it.
type space struct {
	namespace string // path of the namespace; the one we are in where empty
	shm       string // its /dev/shm
}

func (s space) within(f func() error) error {
	if s.namespace == "" {
		return f()
	}
	return inNamespace(s.namespace, unix.CLONE_NEWIPC, f)
}

// ipcName is what the objects of one owner are called; their key is its last
// number. Both tell whose they are.
func ipcName(key int) string { return fmt.Sprintf("postern-%x", key) }

// The keys of a trial: the agent's objects and the pilots of two observers
// have one each. A user id is below the first of these bits.
const (
	ipcAgent      = 1 << 30
	ipcPilot      = 1<<30 | 1<<29
	ipcOtherPilot = ipcPilot | 1<<28
)

// ipcKinds is how many kinds of object there are.
const ipcKinds = 5

// read is what the objects with a key hold, each kind for itself. An object
// that is not there holds nothing.
func (s space) read(key int) (held [][]byte, err error) {
	err = s.within(func() error {
		for _, kind := range []func(int) ([]byte, error){readSegment, readQueue, readSemaphores, receiveMessages, s.readShared} {
			b, err := kind(key)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("reading IPC objects: %w", err)
			}
			held = append(held, b)
		}
		return nil
	})
	return held, err
}

// remove takes all objects with a key away.
func (s space) remove(key int) error {
	return s.within(func() error {
		errs := []error{withoutPath(os.Remove(filepath.Join(s.shm, ipcName(key))))}
		if id, err := unix.SysvShmGet(key, 0, 0); err == nil {
			_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
			errs = append(errs, err)
		}
		if id, err := call(unix.SYS_MSGGET, uintptr(key), 0); err == nil {
			_, err = call(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0)
			errs = append(errs, err)
		}
		if id, err := call(unix.SYS_SEMGET, uintptr(key), 0, 0); err == nil {
			_, err = call(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID, 0)
			errs = append(errs, err)
		}
		name, err := unix.BytePtrFromString(ipcName(key))
		if err == nil {
			if _, _, errno := unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)), 0, 0); errno != 0 {
				err = errno
			}
		}
		errs = slices.DeleteFunc(append(errs, err), func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
		return errors.Join(errs...)
	})
}

// call is a system call with up to four arguments.
func call(number uintptr, args ...uintptr) (uintptr, error) {
	var a [6]uintptr
	copy(a[:], args)
	r, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	if errno != 0 {
		return 0, errno
	}
	return r, nil
}

const maxIPC = 64 << 10 // bytes of one object that are read

func readSegment(key int) ([]byte, error) {
	id, err := unix.SysvShmGet(key, 0, 0)
	if err != nil {
		return nil, err
	}
	b, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return nil, err
	}
	defer unix.SysvShmDetach(b)
	return append([]byte(nil), b[:min(len(b), maxIPC)]...), nil
}

func readQueue(key int) (all []byte, err error) {
	id, err := call(unix.SYS_MSGGET, uintptr(key), 0)
	if err != nil {
		return nil, err
	}
	var message struct {
		kind int64
		text [8192]byte // MSGMAX, linux/msg.h
	}
	for len(all) < maxIPC {
		n, _, errno := unix.Syscall6(unix.SYS_MSGRCV, id, uintptr(unsafe.Pointer(&message)), unsafe.Sizeof(message.text), 0, unix.IPC_NOWAIT|msgNoError, 0)
		if errno == unix.ENOMSG {
			break
		}
		if errno != 0 {
			return all, errno
		}
		all = append(all, message.text[:n]...)
	}
	return all, nil
}

const msgNoError = 0o10000 // linux/msg.h: cut what is longer

// semaphores is how many a probe's set has; each holds a byte.
const semaphores = 16

func readSemaphores(key int) ([]byte, error) {
	id, err := call(unix.SYS_SEMGET, uintptr(key), 0, 0)
	if err != nil {
		return nil, err
	}
	var raw []byte
	for i := range uintptr(semaphores) {
		const getValue = 12 // linux/sem.h
		n, err := call(unix.SYS_SEMCTL, id, i, getValue, 0)
		if errors.Is(err, syscall.EINVAL) {
			break // the set is smaller
		}
		if err != nil {
			return nil, err
		}
		raw = append(raw, byte(n))
	}
	return raw, nil
}

func receiveMessages(key int) ([]byte, error) {
	name, err := unix.BytePtrFromString(ipcName(key))
	if err != nil {
		return nil, err
	}
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0, 0, 0, 0)
	if errno != 0 {
		return nil, errno
	}
	defer unix.Close(int(fd))
	var all []byte
	b := make([]byte, maxIPC)
	for len(all) < maxIPC {
		n, _, errno := unix.Syscall6(unix.SYS_MQ_TIMEDRECEIVE, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0, 0)
		if errno == unix.EAGAIN {
			break
		}
		if errno != 0 {
			return all, errno
		}
		all = append(all, b[:n]...)
	}
	return all, nil
}

func (s space) readShared(key int) ([]byte, error) {
	f, err := os.OpenFile(filepath.Join(s.shm, ipcName(key)), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxIPC))
}

// plant makes one object of each kind that holds a text.
func (s space) plant(key int, text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != semaphores {
		return errors.New("planting IPC objects: the text is no canary")
	}
	return s.within(func() error {
		for _, kind := range []func(int, string) error{plantSegment, plantQueue, plantSemaphores, plantMessage, s.plantShared} {
			if err := kind(key, text); err != nil {
				return fmt.Errorf("planting IPC objects: %w", err)
			}
		}
		return nil
	})
}

const planted = unix.IPC_CREAT | unix.IPC_EXCL | 0o600

func plantSegment(key int, text string) error {
	id, err := unix.SysvShmGet(key, len(text), planted)
	if err != nil {
		return err
	}
	b, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return err
	}
	copy(b, text)
	return unix.SysvShmDetach(b)
}

func plantQueue(key int, text string) error {
	id, err := call(unix.SYS_MSGGET, uintptr(key), planted)
	if err != nil {
		return err
	}
	message := struct {
		kind int64
		text [2 * semaphores]byte
	}{kind: 1}
	n := copy(message.text[:], text)
	_, _, errno := unix.Syscall6(unix.SYS_MSGSND, id, uintptr(unsafe.Pointer(&message)), uintptr(n), unix.IPC_NOWAIT, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func plantSemaphores(key int, text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	id, err := call(unix.SYS_SEMGET, uintptr(key), semaphores, planted)
	if err != nil {
		return err
	}
	for i, b := range raw {
		const setValue = 16 // linux/sem.h
		if _, err := call(unix.SYS_SEMCTL, id, uintptr(i), setValue, uintptr(b)); err != nil {
			return err
		}
	}
	return nil
}

func plantMessage(key int, text string) error {
	name, err := unix.BytePtrFromString(ipcName(key))
	if err != nil {
		return err
	}
	size := struct{ flags, messages, bytes, current, _, _, _, _ int64 }{messages: 1, bytes: 64}
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)),
		unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600, uintptr(unsafe.Pointer(&size)), 0, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	b := []byte(text)
	_, _, errno = unix.Syscall6(unix.SYS_MQ_TIMEDSEND, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func (s space) plantShared(key int, text string) error {
	f, err := os.OpenFile(filepath.Join(s.shm, ipcName(key)), os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return withoutPath(err)
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}
