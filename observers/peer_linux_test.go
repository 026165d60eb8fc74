package observers

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// newNeighbour is another container, as trials share one.
func newNeighbour(t *testing.T) Neighbour {
	t.Helper()
	cli := engine(t)
	img, err := fixtures.BuildImage(t.Context(), cli, agentPath(t))
	if err != nil {
		t.Fatal(err)
	}
	made, err := cli.ContainerCreate(t.Context(),
		&container.Config{Image: img, Cmd: []string{peerWord}, User: "10001:10001", AttachStdout: true, Labels: map[string]string{fixtures.Label: "1"}},
		&container.HostConfig{NetworkMode: "none", IpcMode: "shareable", LogConfig: container.LogConfig{Type: "none"}}, nil, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		cli.ContainerRemove(ctx, made.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
	})
	attached, err := cli.ContainerAttach(t.Context(), made.ID, container.AttachOptions{Stream: true, Stdout: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(attached.Close)
	if err := cli.ContainerStart(t.Context(), made.ID, container.StartOptions{}); err != nil {
		t.Fatal(err)
	}
	info, err := cli.ContainerInspect(t.Context(), made.ID)
	if err != nil {
		t.Fatal(err)
	}
	said, write := io.Pipe()
	go stdcopy.StdCopy(write, io.Discard, attached.Reader)
	return Neighbour{ID: made.ID, PID: info.State.Pid, Output: NewOutput(said)}
}

func newPeer(t *testing.T, n Neighbour, tr *trial, watch *canary.Watch) *Peer {
	t.Helper()
	o, err := NewPeer(engine(t), agentPath(t), n, neighbourUID, watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	o.Enter(n.ID, n.PID)
	return o
}

func TestPeerSeesWhatIsInItsOwn(t *testing.T) {
	n := newNeighbour(t)
	tr := newTrial(t)
	o := newPeer(t, n, tr, tr.watch)
	pilot(t, o, channel.PilotBefore)
	inside, err := showing(t.Context(), agentPath(t), n.PID)
	if err != nil {
		t.Fatal(err)
	}
	defer inside.close()
	must(t, inside.show(plan.Probe{Canary: tr.text(channel.ProcessArgv), Address: everything}))
	must(t, os.WriteFile(o.path("root"+o.file(ipcAgent)), []byte(tr.text(channel.ProcessPeerFile)), 0o600))
	must(t, os.WriteFile(o.path("fd/1"), []byte(tr.text(channel.ProcessPeerOutput)), 0))
	must(t, o.space().plant(ipcAgent|neighbourUID, tr.text(channel.ProcessSegment)))
	must(t, o.Look(t.Context()))
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	seen := map[channel.ID]bool{}
	for _, s := range r.Observations {
		seen[s.Channel] = true
		if s.Channel == channel.ProcessArgv && s.Sightings != 3 { // arguments, names, environment
			t.Errorf("a process was seen %d times", s.Sightings)
		}
	}
	for _, id := range []channel.ID{channel.ProcessArgv, channel.ProcessPeerFile, channel.ProcessPeerOutput, channel.ProcessSegment} {
		if !seen[id] {
			t.Errorf("%s was not seen", id)
		}
	}
}

func TestPeerSeesNothingOfOthers(t *testing.T) {
	n := newNeighbour(t)
	tr := newTrial(t)
	o := newPeer(t, n, tr, tr.watch)
	outside, err := showing(t.Context(), agentPath(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer outside.close()
	must(t, outside.show(plan.Probe{Canary: tr.text(channel.ProcessArgv), Address: everything}))
	must(t, o.Look(t.Context()))
	saw(t, collect(t, o), nil)
}

func TestPeerThatIsDeafOrGone(t *testing.T) {
	n := newNeighbour(t)
	tr := newTrial(t)
	o := newPeer(t, n, tr, newTrial(t).watch)
	for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
		if err := o.Pilot(InVain(t.Context()), phase); err != nil {
			t.Fatal(err)
		}
	}
	if r := collect(t, o); r.Hearing.PilotsHeard != 0 || r.Hearing.PilotsSent != 2*peerPaths {
		t.Errorf("%+v", r.Hearing)
	}
	o.actor.close() // a container's first process ends after all others of its PID namespace
	if err := engine(t).ContainerKill(t.Context(), n.ID, "KILL"); err != nil {
		t.Fatal(err)
	}
	for range 100 { // the kernel takes the namespace down
		if _, err := os.Stat(o.path("root/proc/1")); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if o.Look(t.Context()) == nil {
		t.Error("a peer that is gone was looked at")
	}
}

func TestOutputIsForThoseWhoListen(t *testing.T) {
	tr := newTrial(t)
	said, write := io.Pipe()
	out := NewOutput(said)
	first, second := newLedger(), newLedger()
	leave := out.listen(tr.watch, first)
	defer out.listen(newTrial(t).watch, second)()
	text := tr.text(channel.NetTCP4)
	io.WriteString(write, text[:10])
	io.WriteString(write, text[10:])
	write.Write(nil) // returns once what came before was searched
	leave()
	io.WriteString(write, text)
	write.Close()
	out.mu.Lock()
	defer out.mu.Unlock()
	if first.seen[channel.NetTCP4] != 1 || len(second.seen) != 0 {
		t.Errorf("seen %v and %v", first.seen, second.seen)
	}
}

func TestPieces(t *testing.T) {
	for want, names := range map[string][]string{
		"":       {"agent", "", "peer"},
		"abcdef": {"1cd", "agent", "0ab", "1cd", "2ef"}, // a thread begins with the name of the one that made it
	} {
		if got := string(pieces(names)); got != want {
			t.Errorf("%s: %q", strings.Join(names, " "), got)
		}
	}
}
