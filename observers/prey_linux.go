package observers

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// prey is the victim as those see it who do something to it, and as it is
// looked at from outside.
type prey struct {
	pid int
	at  int64 // its memory
	uid int
}

func (v prey) path(name string) string { return fmt.Sprintf("/proc/%d/%s", v.pid, name) }

// plant brings a pilot in by every way, and returns the limits as they were:
// a probe's canary may be in them.
func (v prey) plant(text string) (was []byte, err error) {
	for _, send := range []func(string) error{v.values, v.numbers, v.write, v.file, v.feed} {
		if err := send(text); err != nil {
			return nil, err
		}
	}
	if was, err = v.limits(); err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return was, v.setLimits(raw)
}

// restore takes the pilots away that stay where they were put.
func (v prey) restore(was []byte) error {
	if err := v.setLimits(was); err != nil {
		return err
	}
	if err := v.write(strings.Repeat("\x00", preySlot)); err != nil {
		return err
	}
	return os.Remove(v.path("root/drop/pilot"))
}

func (v prey) values(text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	for ; len(raw) >= 8; raw = raw[8:] {
		info := struct { // siginfo_t of rt_sigqueueinfo(2) on 64-bit machines
			signo, errno, code, _ int32
			pid                   int32
			uid                   uint32
			value                 uint64
			_                     [96]byte
		}{signo: signalValue, code: -1, pid: int32(os.Getpid()), value: binary.BigEndian.Uint64(raw)}
		_, _, errno := unix.Syscall(unix.SYS_RT_SIGQUEUEINFO, uintptr(v.pid), signalValue, uintptr(unsafe.Pointer(&info)))
		if errno != 0 {
			return errno
		}
	}
	return nil
}

// numbers sends a digit a signal, each once the last was taken: of several
// that wait, the lowest is taken first.
func (v prey) numbers(text string) error {
	for _, digit := range text {
		n, err := strconv.ParseUint(string(digit), 16, 4)
		if err != nil {
			return err
		}
		signal := signalNumber + int(n)
		if err := unix.Kill(v.pid, syscall.Signal(signal)); err != nil {
			return err
		}
		if err := v.awaitTaken(signal); err != nil {
			return err
		}
	}
	return nil
}

func (v prey) awaitTaken(signal int) error {
	for end := time.Now().Add(pilotPatience); time.Now().Before(end); time.Sleep(10 * time.Microsecond) {
		status, err := os.ReadFile(v.path("status"))
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(status), "\nShdPnd:\t")
		line, _, _ := strings.Cut(rest, "\n")
		pending, err := strconv.ParseUint(line, 16, 64)
		if err != nil || pending>>(signal-1)&1 == 0 {
			return err
		}
	}
	return syscall.ETIMEDOUT
}

// feed writes into the pipe whose other end the victim holds.
func (v prey) feed(text string) error {
	f, err := os.OpenFile(v.path("fd/"+strconv.Itoa(baitFD)), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text + "\n")
	return err
}

func (v prey) file(text string) error {
	return os.WriteFile(v.path("root/drop/pilot"), []byte(text), 0o600)
}

// limits reads the two soft limits that hold half a canary each. They bind
// nobody, so that they can be set to anything.
func (v prey) limits() ([]byte, error) {
	text, err := os.ReadFile(v.path("limits"))
	if err != nil {
		return nil, err
	}
	return parseLimits(string(text))
}

// parseLimits is the two soft limits as bytes; none is the greatest number.
func parseLimits(text string) ([]byte, error) {
	raw := make([]byte, 0, 16)
	for _, name := range []string{"Max resident set", "Max file locks"} {
		_, rest, _ := strings.Cut("\n"+text, "\n"+name+" ")
		words := strings.Fields(rest)
		if len(words) == 0 {
			return nil, errors.New("a limit is not listed")
		}
		n := uint64(unix.RLIM_INFINITY)
		if words[0] != "unlimited" {
			var err error
			if n, err = strconv.ParseUint(words[0], 10, 64); err != nil {
				return nil, errors.New("a limit is no number")
			}
		}
		raw = binary.BigEndian.AppendUint64(raw, n)
	}
	return raw, nil
}

// setLimits sets them as another process of the victim's user does: root may
// not without CAP_SYS_RESOURCE. The thread that took the user is thrown away.
func (v prey) setLimits(raw []byte) error {
	return inOwnThread(func() error { return v.setLimitsAs(v.uid, raw) })
}

func (v prey) setLimitsAs(id int, raw []byte) error {
	for _, become := range []uintptr{unix.SYS_SETRESGID, unix.SYS_SETRESUID} {
		if _, _, errno := unix.RawSyscall(become, uintptr(id), uintptr(id), uintptr(id)); errno != 0 {
			return errno
		}
	}
	for i, resource := range []int{unix.RLIMIT_RSS, rlimitLocks} {
		limit := unix.Rlimit{Cur: binary.BigEndian.Uint64(raw[8*i:]), Max: unix.RLIM_INFINITY}
		if err := unix.Prlimit(v.pid, resource, &limit, nil); err != nil {
			return err
		}
	}
	return nil
}

// memory is all of it that others may write.
func (v prey) memory() ([]byte, error) {
	f, err := os.Open(v.path("mem"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, preySlots*preySlot)
	_, err = f.ReadAt(b, v.at)
	return b, err
}

// write puts a text where no probe writes.
func (v prey) write(text string) error {
	f, err := os.OpenFile(v.path("mem"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte(text), v.at+pilotSlot*preySlot)
	return err
}
