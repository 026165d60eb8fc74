package observers

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

func held(t *testing.T, tr *trial) *Held {
	t.Helper()
	o, err := NewHeld(1<<30, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	o.Enter("", os.Getpid())
	return o
}

func TestHeldHearsItsPilotsOnlyByItsWatch(t *testing.T) {
	tr := newTrial(t)
	o := held(t, tr)
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, nil)

	deaf := held(t, &trial{t, tr.key, newTrial(t).watch, tr.pilots})
	pilot(t, deaf, channel.PilotBefore)
	pilot(t, deaf, channel.PilotAfter)
	if r := collect(t, deaf); r.Hearing.Sound() || r.Hearing.PilotsHeard != 0 {
		t.Errorf("heard pilots that it does not know: %+v", r.Hearing)
	}
}

func TestHeldCannotLookAtWhatIsNoProcess(t *testing.T) {
	o := held(t, newTrial(t))
	o.Enter("", 1<<30)
	if o.Look(t.Context()) == nil {
		t.Error("it looked at no process and found nothing")
	}
}

// What a process of our own holds is seen as what the agent's would be.
func TestHoldingsOfAProcess(t *testing.T) {
	tr := newTrial(t)
	raw, err := hex.DecodeString(tr.text(channel.KernelInotify))
	if err != nil {
		t.Fatal("a canary is no number")
	}
	fd, err := unix.MemfdCreate(tr.text(channel.KernelMemory), unix.MFD_CLOEXEC)
	if err != nil {
		t.Fatal("a file of memory was not made")
	}
	defer unix.Close(fd)
	for i, b := range raw {
		fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		if mask := uint32(i)<<8 | uint32(b); mask != 0 {
			if _, err := unix.InotifyAddWatch(fd, "/", mask); err != nil {
				t.Fatal(err)
			}
		}
	}
	look := newHoldings(tr.watch)
	if err := look.process("/proc/self", "/proc/self"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []channel.ID{channel.KernelMemory, channel.KernelInotify} {
		if look.seen[id] != 1 {
			t.Errorf("%s was seen %d times", id, look.seen[id])
		}
	}
	if look.seen[channel.KernelNamespace]+look.seen[channel.KernelTrace]+look.seen[channel.KernelFanotify] > 0 {
		t.Errorf("saw %v", look.seen)
	}
}

func TestHoldingsOfAChildInANamespaceOfItsOwn(t *testing.T) {
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	cmd.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER, Ptrace: true}
	if err := startTraced(cmd); err != nil {
		t.Skip("this kernel lets nobody make a user namespace")
	}
	defer cmd.Process.Kill()
	look := newHoldings(newTrial(t).watch)
	if err := look.process("/proc/"+strconv.Itoa(cmd.Process.Pid), "/proc/self"); err != nil {
		t.Fatal(err)
	}
	if look.seen[channel.KernelNamespace] != 1 || look.seen[channel.KernelTrace] != 1 {
		t.Errorf("saw %v", look.seen)
	}
}

// startTraced starts a process that stops before it does anything.
func startTraced(cmd *exec.Cmd) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread is the tracer
		done <- cmd.Start()
		select {}
	}()
	return <-done
}

func TestBeyondShm(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"small": maxShm / 2, "large": 2 * maxShm} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, append(bytes.Repeat([]byte{1}, size), "the end"...), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := beyondShm(path)
		if err != nil || bytes.HasSuffix(b, []byte("the end")) != (size > maxShm) {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
	if _, err := beyondShm(filepath.Join(dir, "gone")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func random() []byte {
	b := make([]byte, canary.Size)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

func TestSpellings(t *testing.T) {
	raw := random()
	var netlink, packets, table, timers, ring strings.Builder
	for i := 5; i >= 0; i-- {
		part := append(append([]byte{byte(i + 1)}, raw[3*i:min(3*i+3, 16)]...), 0, 0)
		fmt.Fprintf(&netlink, "0000000000000000 2   %-10d 00000000 0        0        0     2        0        %d\n", binary.BigEndian.Uint32(part), i)
	}
	fmt.Fprintln(&netlink, "0000000000000000 2   77 00000000 0 0 0 2 0 9\n0000000000000000 2 4294966272 00000000 0 0 0 2 0 9\nsk Eth Pid")
	for i := 0; i < 16; i += 2 {
		fmt.Fprintf(&packets, "0000000000000000 3      3    %04x   0     0 0      0      4711\n", binary.BigEndian.Uint16(raw[i:]))
	}
	for i := 12; i >= 0; i -= 4 {
		fmt.Fprintf(&table, "1: POSIX  ADVISORY  READ 77 fe:00:131 %d 9\n", 1<<40|uint64(i)<<32|uint64(binary.BigEndian.Uint32(raw[i:])))
	}
	fmt.Fprintln(&table, "2: POSIX  ADVISORY  READ 77 fe:00:131 5 9\n2: POSIX  ADVISORY  READ 78 fe:00:131 5 9\n3: FLOCK  ADVISORY  WRITE 77 fe:00:131 0 EOF\n3: -> POSIX  ADVISORY  READ 77 fe:00:131 3 9")
	for i := 1; i >= 0; i-- {
		fmt.Fprintf(&timers, "ID: %d\nsignal: 10/%016x\nnotify: signal/pid.1\nClockID: 1\n", i, binary.BigEndian.Uint64(raw[8*i:]))
	}
	for i := range 2 {
		fmt.Fprintf(&ring, "%5d: opcode:NOP, fd:0, flags:0, off:0, addr:0x0, rw_flags:0x0, buf_index:0 user_data:%d\n", i, binary.BigEndian.Uint64(raw[8*i:]))
	}
	var masks watchBytes
	for i, b := range raw {
		masks.add(fmt.Sprintf("pos:\t0\ninotify wd:1 ino:2 sdev:3 mask:%x ignored_mask:0 fhandle-bytes:8\n", i<<8|int(b)))
	}
	for name, got := range map[string][]byte{
		"netlink": netlinkAddresses(netlink.String())[0], "packets": packetProtocols(packets.String()),
		"locks": lockedOffsets(locks(table.String()), "77"), "timers": timerValues(timers.String()),
		"ring": ringData("SQEs:\t2\n" + ring.String() + "CQEs:\t0\n"), "masks": masks.bytes[:],
	} {
		if !bytes.HasPrefix(got, raw) || len(got) > 18 {
			t.Errorf("%s: %d bytes that do not begin as they should", name, len(got))
		}
	}
	if n := keysIn("    0:     9 8/8 3/1000000 2312/25000000\n 4711:     2 2/2 2/200 34/20000\n", 4711); n != 2 {
		t.Errorf("%d keys", n)
	}
}

// The agent chooses what it is called and what it holds: no text of the kernel's
// may make the observer fail.
func FuzzSpellings(f *testing.F) {
	f.Add("ID: 0\nsignal: 10/0123\ninotify wd:1 ino:2 mask:1ff \n 0: opcode:NOP user_data:12")
	f.Add("1: POSIX  ADVISORY  READ 77 fe:00:131 1621 0\n0 2 16909060 0 0 0 0 0 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		var w watchBytes
		w.add(text)
		total := len(timerValues(text)) + len(ringData(text)) + len(packetProtocols(text)) + len(lockedOffsets(locks(text), "77"))
		for _, spelt := range netlinkAddresses(text) {
			total += len(spelt)
		}
		if total > 16*len(text) {
			t.Errorf("%d bytes out of %d", total, len(text))
		}
		keysIn(text, 77)
	})
}

func TestVsock(t *testing.T) {
	if fd, err := takePort(firstTestPort); err != nil {
		t.Skip("this machine has no sockets of a virtual machine's")
	} else {
		unix.Close(fd)
	}
	base := firstTestPort + rand.Uint32N(1<<20)*VsockPorts
	tr := newTrial(t)
	o, err := NewVsock(base, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	o.Enter("", 1)
	pilot(t, o, channel.PilotBefore)
	raw, err := hex.DecodeString(tr.text(channel.KernelVsock))
	if err != nil {
		t.Fatal("a canary is no number")
	}
	free, err := takePorts(base, raw)
	defer free()
	if err != nil {
		t.Fatal("the ports of a canary were not to be had")
	}
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.KernelVsock: 1})

	deaf, err := NewVsock(base, newTrial(t).watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	pilot(t, deaf, channel.PilotBefore)
	pilot(t, deaf, channel.PilotAfter)
	if r := collect(t, deaf); r.Hearing.Sound() {
		t.Errorf("heard pilots that it does not know: %+v", r.Hearing)
	}
}

// firstTestPort begins a range that neither trials nor measurements use.
const firstTestPort = 0x40000000
