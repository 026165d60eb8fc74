package observers

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// asRoot skips where the kernel would refuse what an observer needs.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("it needs root")
	}
}

// sleeper is a process that stays, as a container's would.
func sleeper(t *testing.T, attr *syscall.SysProcAttr) int {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = attr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd.Process.Pid
}

// grouped puts a process into a cgroup of its own.
func grouped(t *testing.T, pid int) string {
	t.Helper()
	dir := filepath.Join(pidsRoot(), fmt.Sprintf("test-%d", pid))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(pid, syscall.SIGKILL)
		for unix.Rmdir(dir) == unix.EBUSY { // until the process is gone
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
		t.Fatal(err)
	}
	return dir
}

// lookouts makes each of the observers of the kernel, for a watch of a trial's.
func lookouts(t *testing.T) map[string]func(*canary.Watch, Pilots) (*Lookout, error) {
	dir := t.TempDir()
	uid := 1<<28 + os.Getpid()
	return map[string]func(*canary.Watch, Pilots) (*Lookout, error){
		"keyring":  func(w *canary.Watch, p Pilots) (*Lookout, error) { return NewKeyring(uid, w, p) },
		"tasks":    NewTasks,
		"bpf":      NewBPF,
		"dmesg":    NewDmesg,
		"audit":    NewAudit,
		"settings": NewSettings,
		"cgroups":  NewCgroups,
		"device":   func(w *canary.Watch, p Pilots) (*Lookout, error) { return NewDevice(dir+"/disk", w, p) },
		"decoy":    func(w *canary.Watch, p Pilots) (*Lookout, error) { return NewDecoy(dir+"/decoy", dir+"/made", w, p) },
		"core":     func(w *canary.Watch, p Pilots) (*Lookout, error) { return NewCore(dir+"/core", w, p) },
	}
}

func TestLookoutsHearTheirPilotsAndNothingElse(t *testing.T) {
	asRoot(t)
	pid := sleeper(t, nil)
	grouped(t, pid)
	for name, make := range lookouts(t) {
		t.Run(name, func(t *testing.T) {
			tr := newTrial(t)
			o, err := make(tr.watch, tr.pilots)
			if err != nil {
				t.Fatal(err)
			}
			r := watched(t, o, pid)
			saw(t, r, nil)
			if !r.Hearing.Sound() {
				t.Errorf("%+v", r.Hearing)
			}
		})
	}
}

func TestLookoutsThatListenForAnothersAreDeaf(t *testing.T) {
	asRoot(t)
	pid := sleeper(t, nil)
	grouped(t, pid)
	for name, make := range lookouts(t) {
		t.Run(name, func(t *testing.T) {
			tr, other := newTrial(t), newTrial(t)
			o, err := make(other.watch, tr.pilots)
			if err != nil {
				t.Fatal(err)
			}
			if r := watched(t, o, pid); r.Hearing.PilotsHeard != 0 || r.Hearing.Sound() {
				t.Errorf("%+v", r.Hearing)
			}
		})
	}
}

// watched leads an observer through a trial.
func watched(t *testing.T, o *Lookout, pid int) Report {
	t.Helper()
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	o.Enter("", pid)
	pilot(t, o, channel.PilotBefore)
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	return collect(t, o)
}

func TestKeyringFindsAKeyThatOutlivedItsMaker(t *testing.T) {
	asRoot(t)
	tr, uid := newTrial(t), 1<<28+1<<27+os.Getpid()
	o, err := NewKeyring(uid, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := asKeyholder(uid, func() error {
		_, err := unix.AddKey("user", "found", []byte(tr.text(channel.KernelKeyring)), unix.KEY_SPEC_USER_KEYRING)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), map[channel.ID]int{channel.KernelKeyring: 1})
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := readUser(uid, tr.watch)
	if err != nil || left.units != 0 {
		t.Errorf("%d keys are left, error %v", left.units, err)
	}
}

func readUser(uid int, w *canary.Watch) (g glance, err error) {
	err = asKeyholder(uid, func() error { g, err = readKeyring(w); return err })
	return g, err
}

func TestTasksReadWhatIDMapsSpell(t *testing.T) {
	asRoot(t)
	tr := newTrial(t)
	raw, err := hex.DecodeString(tr.text(channel.KernelUserns))
	if err != nil {
		t.Fatal("the canary is no number")
	}
	var dirs []string
	for half := range 2 {
		mapping := func(at int) []syscall.SysProcIDMap {
			return []syscall.SysProcIDMap{{ContainerID: int(binary.BigEndian.Uint32(raw[8*half+at:])), HostID: 0, Size: 1}}
		}
		pid := sleeper(t, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: mapping(0), GidMappings: mapping(4)})
		dirs = append(dirs, fmt.Sprintf("/proc/%d", pid))
	}
	for _, order := range [][]string{dirs, {dirs[1], dirs[0]}, append(dirs, "/proc/self")} {
		g, err := readTasks(tr.watch, order)
		if err != nil {
			t.Fatal(err)
		}
		if g.seen[channel.KernelUserns] != 1 || len(g.seen) != 1 {
			t.Errorf("saw %v", g.seen)
		}
	}
}

func TestTasksThatEndedShowNothing(t *testing.T) {
	g, err := readTasks(newTrial(t).watch, []string{"/proc/4194305"})
	if err != nil || len(g.seen) > 0 {
		t.Errorf("saw %v, error %v", g.seen, err)
	}
}

func TestBPFFindsAValue(t *testing.T) {
	asRoot(t)
	tr := newTrial(t)
	fd, err := newBPFMap(tr.text(channel.KernelBPF))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	g, err := readBPF(tr.watch)
	if err != nil || g.seen[channel.KernelBPF] != 1 {
		t.Errorf("saw %v, error %v", g.seen, err)
	}
}

func TestCgroupsTellWhereANameStands(t *testing.T) {
	asRoot(t)
	tr := newTrial(t)
	own := grouped(t, sleeper(t, nil))
	eyes := cgroupNames{tr.watch, pidsRoot()}
	for _, id := range []channel.ID{channel.KernelCgroup, channel.KernelCgroupHost} {
		dir := filepath.Join(own, tr.text(id))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(withoutPath(err))
		}
		defer os.Remove(dir)
	}
	g, err := eyes.look(own)
	if err != nil || g.seen[channel.KernelCgroup] != 1 || g.seen[channel.KernelCgroupHost] != 0 {
		t.Errorf("below its own: saw %v, error %v", g.seen, err)
	}
	if err := os.Mkdir(filepath.Join(pidsRoot(), tr.text(channel.KernelCgroupHost)), 0o755); err != nil {
		t.Fatal(withoutPath(err))
	}
	g, err = eyes.look(own)
	if err != nil || g.seen[channel.KernelCgroupHost] != 1 {
		t.Errorf("at the root: saw %v, error %v", g.seen, err)
	}
	if err := eyes.remove(); err != nil {
		t.Error(err)
	}
	if g, _ = eyes.look(own); g.seen[channel.KernelCgroupHost] != 0 {
		t.Error("what stood at the root is still there")
	}
}

func TestCoreReadsWhatAHandlerWrote(t *testing.T) {
	tr, path := newTrial(t), filepath.Join(t.TempDir(), "core")
	var g glance
	if err := readHandled(tr.watch, path, &g); err != nil || g.units != 0 {
		t.Errorf("no core: %d units, error %v", g.units, err)
	}
	if err := os.WriteFile(path, []byte("\x7fELF"+tr.text(channel.KernelCorePipe)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readHandled(tr.watch, path, &g); err != nil || g.seen[channel.KernelCorePipe] != 1 {
		t.Errorf("saw %v, error %v", g.seen, err)
	}
	if err := readHandled(tr.watch, t.TempDir(), &g); err == nil {
		t.Error("a directory was read as a core")
	}
}

func TestDmesgKeepsWhatAPilotsReadSaw(t *testing.T) {
	asRoot(t)
	tr := newTrial(t)
	o, err := NewDmesg(tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	if err := writeKmsg(tr.text(channel.KernelKmsg)); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), map[channel.ID]int{channel.KernelKmsg: 1})
}

func TestFilesBehindDevicesAreRead(t *testing.T) {
	tr, path := newTrial(t), filepath.Join(t.TempDir(), "disk")
	o, err := NewDevice(path, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotBefore)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(tr.text(channel.KernelNode)), 4096); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), map[channel.ID]int{channel.KernelNode: 1})
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Collect(t.Context()); err == nil {
		t.Error("a closed observer collects")
	}
}

func TestDecoyCountsWhoOpensIt(t *testing.T) {
	tr, dir := newTrial(t), t.TempDir()
	o, err := NewDecoy(dir+"/decoy", dir+"/made", tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	if _, err := os.ReadFile(dir + "/decoy"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "made", tr.text(channel.KernelRelease)), 0o700); err != nil {
		t.Fatal(withoutPath(err))
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	saw(t, r, map[channel.ID]int{channel.KernelHandleRead: 1, channel.KernelRelease: 1})
	if !r.Hearing.Sound() {
		t.Errorf("%+v", r.Hearing)
	}
}
