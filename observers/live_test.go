package observers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/google/go-cmp/cmp"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// alive starts the box's agent and waits until it has tried everything.
func (b *box) alive(planLine []byte) (pid int) {
	b.t.Helper()
	stdin, err := b.cli.ContainerAttach(b.t.Context(), b.id, container.AttachOptions{Stream: true, Stdin: true, Stdout: true})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(stdin.Close)
	if err := b.cli.ContainerStart(b.t.Context(), b.id, container.StartOptions{}); err != nil {
		b.t.Fatal(err)
	}
	write(b.t, stdin.Conn, string(planLine))
	if _, err := stdin.Reader.ReadString('\n'); err != nil {
		b.t.Fatal("the agent sent no report")
	}
	info, err := b.cli.ContainerInspect(b.t.Context(), b.id)
	if err != nil {
		b.t.Fatal(err)
	}
	return info.State.Pid
}

// live has one observer look at a container whose agent has tried everything.
func live(t *testing.T, tr, hears *trial, host container.HostConfig) Report {
	t.Helper()
	b := newBox(t, tr, host)
	pid := b.alive(tr.plan(plan.ModeNormal, map[channel.ID]string{
		channel.FileMemory: "/mnt/memory/out", channel.FileProgram: "/mnt/memory/program", channel.FileDeleted: fixtures.ScratchDir + "/deleted",
	}))
	o := NewLive(t.TempDir(), hears.watch, tr.pilots)
	o.Enter(b.id, pid)
	pilot(t, o, channel.PilotBefore)
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	return collect(t, o)
}

func TestLive(t *testing.T) {
	memory, deleted := channel.FileMemory, channel.FileDeleted
	for name, c := range map[string]struct {
		change func(*container.HostConfig)
		want   map[channel.ID]int
	}{
		"nothing is left":     {func(*container.HostConfig) {}, nil},
		"a memory filesystem": {func(h *container.HostConfig) { h.Tmpfs = map[string]string{"/mnt/memory": "size=1m"} }, map[channel.ID]int{memory: 1}},
		"no programs from it": {func(h *container.HostConfig) { h.Tmpfs = map[string]string{"/mnt/memory": "size=32m"} }, map[channel.ID]int{memory: 1}},
		"one to run from":     {func(h *container.HostConfig) { h.Tmpfs = map[string]string{"/mnt/memory": "exec"} }, map[channel.ID]int{memory: 1, channel.FileProgram: 1}},
		"a deleted file":      {func(h *container.HostConfig) { h.ReadonlyRootfs = false }, map[channel.ID]int{deleted: 1}},
		"both": {func(h *container.HostConfig) {
			h.ReadonlyRootfs = false
			h.Tmpfs = map[string]string{"/mnt/memory": ""}
		}, map[channel.ID]int{memory: 1, deleted: 1}},
	} {
		tr := newTrial(t)
		host := none()
		c.change(&host)
		r := live(t, tr, tr, host)
		t.Log(name)
		sound(t, r)
		saw(t, r, c.want)
	}
}

func TestLiveThatIsDeaf(t *testing.T) {
	r := live(t, newTrial(t), newTrial(t), none())
	if h := r.Hearing; h.Sound() || h.PilotsHeard != 0 {
		t.Errorf("%+v", h)
	}
}

func TestLiveWithoutAProcessIsAnError(t *testing.T) {
	tr := newTrial(t)
	o := NewLive(t.TempDir(), tr.watch, tr.pilots)
	for _, pid := range []int{0, -1, 1 << 29} {
		o.Enter("", pid)
		if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
			t.Errorf("%d: a pilot was put into nothing", pid)
		}
		if err := o.Look(t.Context()); err == nil {
			t.Errorf("%d: nothing was looked at", pid)
		}
	}
}

func TestAskedMemory(t *testing.T) {
	got := askedMemory(strings.Join([]string{
		`1 0 0:1 / / ro - overlay overlay ro`,
		`2 1 0:2 / /dev rw - tmpfs tmpfs rw`,
		`3 1 0:3 / /dev/shm rw - tmpfs shm rw`,
		`4 1 0:4 / /proc/acpi ro - tmpfs tmpfs ro`,
		`5 1 0:5 / /sys/firmware ro - tmpfs tmpfs ro`,
		`6 1 0:6 / /mnt/memory rw shared:1 - tmpfs tmpfs rw`,
		`7 1 0:7 / /a\040b rw - tmpfs tmpfs rw`,
		`8 1 8:1 / /mnt/shared rw - ext4 /dev/sda rw`,
		`nonsense`, ``,
	}, "\n"))
	if diff := cmp.Diff([]string{"/mnt/memory", "/a b"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDeletedFile(t *testing.T) {
	for link, want := range map[string]bool{
		"/scratch/x (deleted)": true, "/tmp/#123 (deleted)": true,
		"/scratch/x": false, "/memfd:x (deleted)": false, "/dev/shm/x (deleted)": false, "pipe:[1]": false, "/SYSV00000000 (deleted)": false,
	} {
		if deletedFile(link) != want {
			t.Errorf("%q: want %v", link, want)
		}
	}
}

func TestGroupDirectory(t *testing.T) {
	for groups, want := range map[string]string{
		"12:pids:/docker/a\n11:cpu,cpuacct:/docker/b\n0::/\n": cgroups + "/pids/docker/a",
		"0::/system.slice/docker-a.scope\n":                   cgroups + "/system.slice/docker-a.scope",
		"0::/\n":                                              "", "": "", "nonsense": "",
	} {
		if got := groupDirectory(groups); got != want {
			t.Errorf("%q: %q, want %q", groups, got, want)
		}
	}
}

func TestProcessesOf(t *testing.T) {
	if _, err := os.Stat(filepath.Join(cgroups, "cgroup.controllers")); err == nil {
		t.Log("one hierarchy of cgroups")
	}
	if _, err := processesOf(0); err == nil {
		t.Error("no process has processes")
	}
}

func FuzzKernelTables(f *testing.F) {
	f.Add("1: FLOCK  ADVISORY  WRITE 79 fe:10:5 0 EOF\n6 1 0:6 / /mnt/memory rw shared:1 - tmpfs tmpfs rw\n")
	f.Fuzz(func(t *testing.T, table string) {
		locks(table)
		askedMemory(table)
		groupDirectory(table)
	})
}
