package observers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/mount"
	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// box is a container of the agent image, with both observers on it.
type box struct {
	t    *testing.T
	cli  *client.Client
	id   string
	file *File
	log  *Log
}

func newBox(t *testing.T, tr *trial, host container.HostConfig, change ...func(*container.Config)) *box {
	t.Helper()
	cli := engine(t)
	info, err := cli.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	img, err := fixtures.BuildImage(t.Context(), cli, agentPath(t))
	if err != nil {
		t.Fatal(err)
	}
	host.NetworkMode = "none"
	config := &container.Config{
		Image: img, User: "10001:10001", OpenStdin: true, StdinOnce: true, AttachStdin: true,
		Labels: map[string]string{fixtures.Label: "1", PilotLabel: tr.pilots.Before.Reveal()},
	}
	for _, f := range change {
		f(config)
	}
	made, err := cli.ContainerCreate(t.Context(), config, &host, nil, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		cli.ContainerRemove(ctx, made.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
	})
	b := &box{t: t, cli: cli, id: made.ID}
	if b.log, err = NewLog(cli, info.DockerRootDir, tr.watch, tr.pilots); err != nil {
		t.Fatal(err)
	}
	if b.file, err = NewFile(cli, tr.watch, tr.pilots); err != nil {
		t.Fatal(err)
	}
	b.file.Attach(b.id)
	b.log.Attach(b.id)
	return b
}

func (b *box) run(planLine []byte) {
	b.t.Helper()
	if err := feed(b.t.Context(), b.cli, b.id, planLine); err != nil {
		b.t.Fatal(err)
	}
}

// both pilots and collects both observers, which must be sound.
func (b *box) both(during func()) (file, log Report) {
	b.t.Helper()
	for _, o := range []Observer{b.file, b.log} {
		pilot(b.t, o, channel.PilotBefore)
	}
	during()
	for _, o := range []Observer{b.file, b.log} {
		pilot(b.t, o, channel.PilotAfter)
	}
	file, log = collect(b.t, b.file), collect(b.t, b.log)
	sound(b.t, file)
	sound(b.t, log)
	return file, log
}

func none() container.HostConfig {
	return container.HostConfig{LogConfig: container.LogConfig{Type: "none"}, ReadonlyRootfs: true}
}

func TestContainerThatKeepsNothing(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	file, log := b.both(func() {
		b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileRoot: fixtures.ScratchDir + "/f", channel.LogStderr: ""}))
	})
	saw(t, file, nil)
	saw(t, log, nil)
	if file.Hearing.Units < 10 || file.Hearing.Bytes < 1<<20 || log.Hearing.Units < 4 {
		t.Errorf("file %+v, log %+v", file.Hearing, log.Hearing)
	}
}

func TestContainerThatKeepsAll(t *testing.T) {
	for _, driver := range []string{"json-file", "local", ""} {
		tr := newTrial(t)
		b := newBox(t, tr, container.HostConfig{LogConfig: container.LogConfig{Type: driver}})
		file, log := b.both(func() {
			b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileRoot: fixtures.ScratchDir + "/f", channel.LogStderr: ""}))
		})
		saw(t, file, map[channel.ID]int{channel.FileRoot: 1})
		saw(t, log, map[channel.ID]int{channel.LogStderr: 1})
	}
}

func TestContainerBeforeItsStart(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, container.HostConfig{LogConfig: container.LogConfig{Type: "json-file"}})
	file, log := b.both(func() {})
	saw(t, file, nil)
	saw(t, log, nil)
}

func TestContainerThatStillRuns(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, container.HostConfig{LogConfig: container.LogConfig{Type: "json-file"}})
	file, log := b.both(func() {
		stdin, err := b.cli.ContainerAttach(t.Context(), b.id, container.AttachOptions{Stream: true, Stdin: true, Stdout: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stdin.Close)
		if err := b.cli.ContainerStart(t.Context(), b.id, container.StartOptions{}); err != nil {
			t.Fatal(err)
		}
		write(t, stdin.Conn, string(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileRoot: fixtures.ScratchDir + "/f", channel.LogStderr: ""})))
		if _, err := stdin.Reader.ReadString('\n'); err != nil { // its report
			t.Fatal("the agent sent no report")
		}
	})
	saw(t, file, map[channel.ID]int{channel.FileRoot: 1})
	saw(t, log, map[channel.ID]int{channel.LogStderr: 1})
}

func TestMountsAreReadOnce(t *testing.T) {
	tr := newTrial(t)
	host := none()
	dir := filepath.Join(t.TempDir(), "shared")
	host.Mounts = []mount.Mount{{Type: mount.TypeBind, Source: dir, Target: "/mnt/shared", BindOptions: &mount.BindOptions{CreateMountpoint: true}}}
	must(t, mkdirOpen(dir))
	b := newBox(t, tr, host)
	file, _ := b.both(func() {
		b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileRoot: "/mnt/shared/f"}))
	})
	saw(t, file, map[channel.ID]int{channel.FileRoot: 1})
}

// Stdout carries the canaries of the calls in it.
func TestFramesInTheLog(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, container.HostConfig{LogConfig: container.LogConfig{Type: "json-file"}, ReadonlyRootfs: true})
	_, log := b.both(func() {
		reply := "{\"status\":\"ok\",\"result\":{}}\n"
		b.run([]byte(string(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.ToolPermitted: "", channel.ToolPublic: ""})) + reply + reply + reply))
	})
	saw(t, log, map[channel.ID]int{channel.ToolPermitted: 1, channel.ToolPublic: 1})
}

func TestContainerThatIsGoneIsAnError(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	if err := b.cli.ContainerRemove(t.Context(), b.id, container.RemoveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := b.log.Pilot(t.Context(), channel.PilotBefore); err == nil {
		t.Error("log: a pilot went through what is gone")
	}
	for _, o := range []Observer{b.file, b.log} {
		if _, err := o.Collect(t.Context()); err == nil {
			t.Errorf("%s: what is gone was looked at", o.Sink())
		}
	}
}

func TestNothingAttachedIsAnError(t *testing.T) {
	tr := newTrial(t)
	file, err := NewFile(engine(t), tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	log, err := NewLog(engine(t), t.TempDir(), tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "..", "abc"} {
		log.Attach(id)
		for _, o := range []Observer{file, log} {
			if _, err := o.Collect(t.Context()); err == nil {
				t.Errorf("%s: collected from nothing", o.Sink())
			}
			if err := o.Pilot(t.Context(), channel.PilotAfter); err == nil {
				t.Errorf("%s: heard a pilot from nothing", o.Sink())
			}
			if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
				t.Errorf("%s: a channel was taken for a phase", o.Sink())
			}
		}
	}
}

// The looks succeed and hear nothing: no pilot of this trial, or of the image.
func TestContainerWithoutPilotsIsNotSound(t *testing.T) {
	tr, other := newTrial(t), newTrial(t)
	// A mount shows the trial's pilots, where they were not sent.
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "f"), []byte(tr.pilots.Before.Reveal()+" "+tr.pilots.After.Reveal()), 0o600))
	host := none()
	host.Binds = []string{dir + ":/mnt/pilots"}
	b := newBox(t, tr, host)
	b.log.watch = other.watch
	deaf, blind := *b.file, *b.file
	deaf.watch, deaf.book = other.watch, newLedger()
	blind.marks, blind.book = other.watch, newLedger()
	for name, o := range map[string]Observer{"log": b.log, "file, deaf": &deaf, "file, blind": &blind} {
		for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
			pilot(t, o, phase)
		}
		if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent < 2 {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func TestOnePhaseAloneIsNotSound(t *testing.T) {
	for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
		b := newBox(t, newTrial(t), none())
		for _, o := range []Observer{b.file, b.log} {
			pilot(t, o, phase)
			if h := collect(t, o).Hearing; h.Sound() {
				t.Errorf("%s with %s alone: %+v", o.Sink(), phase, h)
			}
		}
	}
}

func TestCheckLogsDemandsBothRoutes(t *testing.T) {
	heard := map[channel.ID]int{channel.LogStderr: 1}
	if heardBoth(channel.LogStderr, heard, heard) != nil || heardBoth(channel.LogStderr, nil, heard) == nil || heardBoth(channel.LogStderr, heard, nil) == nil {
		t.Error("one route stands in for the other")
	}
}

func TestCheckLogs(t *testing.T) {
	cli := engine(t)
	info, err := cli.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	img, err := fixtures.BuildImage(t.Context(), cli, agentPath(t))
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{fixtures.Label: "1", "postern.test": newTrial(t).text("label")}
	if err := CheckLogs(t.Context(), cli, info.DockerRootDir, img, labels, true); err != nil {
		t.Error(err)
	}
	if err := CheckLogs(t.Context(), cli, t.TempDir(), img, labels, false); err == nil {
		t.Error("logs were heard in an empty directory")
	}
	if err := CheckLogs(t.Context(), cli, info.DockerRootDir, "sha256:"+strings.Repeat("0", 64), labels, false); err == nil {
		t.Error("logs were heard of an image that does not exist")
	}
	left, err := cli.ContainerList(t.Context(), container.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", "postern.test="+labels["postern.test"]))})
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 0 {
		t.Errorf("%d containers are left behind", len(left))
	}
}

// mkdirOpen makes a directory that every user may write.
func mkdirOpen(dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}
