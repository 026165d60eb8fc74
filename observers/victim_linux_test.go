package observers

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

const neighbourUID = 4_000_001 // of processes that tests run; nobody's

// openProgram is the agent where every user may execute it.
func openProgram(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("to run processes of other users takes root")
	}
	dir, err := os.MkdirTemp("", "postern-open-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Link(agentPath(t), filepath.Join(dir, "agent")))
	return filepath.Join(dir, "agent")
}

// runAgentAs is runAgent for another user.
func runAgentAs(t *testing.T, program string, uid int, planLine []byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = bytes.NewReader(planLine)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	out, _ := cmd.Output()
	if !strings.Contains(string(out), `"operation":"report"`) {
		t.Fatal("the agent sent no report")
	}
}

func newVictim(t *testing.T, program string, tr *trial, watch *canary.Watch) *Victim {
	t.Helper()
	o, err := NewVictim(program, filepath.Join(filepath.Dir(program), "victim"), neighbourUID, watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

var waysIn = []channel.ID{
	channel.ProcessSignalValue, channel.ProcessSignalNumber, channel.ProcessLimit, channel.ProcessRoot, channel.ProcessDirectory,
	channel.ProcessDescriptor, channel.ProcessTaken, channel.ProcessTrace, channel.ProcessMemory, channel.ProcessMemoryCall,
}

func TestVictimIsHurtByItsOwnUserInEveryWay(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newVictim(t, program, tr, tr.watch)
	at := map[channel.ID]string{}
	for _, id := range waysIn {
		at[id] = o.Addr()
	}
	pilot(t, o, channel.PilotBefore)
	runAgentAs(t, program, neighbourUID, tr.plan(plan.ModeNormal, at))
	pilot(t, o, channel.PilotAfter) // which must not wipe what is there
	r := collect(t, o)
	sound(t, r)
	var seen []channel.ID
	for _, s := range r.Observations {
		seen = append(seen, s.Channel)
	}
	if !slices.Equal(seen, slices.Sorted(slices.Values(waysIn))) {
		t.Errorf("seen: %v", seen)
	}
}

func TestVictimIsNotHurtByOthers(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newVictim(t, program, tr, tr.watch)
	at := map[channel.ID]string{}
	for _, id := range waysIn {
		at[id] = o.Addr()
	}
	pilot(t, o, channel.PilotBefore)
	runAgentAs(t, program, neighbourUID+1, tr.plan(plan.ModeNormal, at))
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, nil)
}

func TestVictimThatIsDeaf(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newVictim(t, program, tr, newTrial(t).watch)
	for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
		if err := o.Pilot(within(t, 0), phase); err != nil {
			t.Fatal(err)
		}
	}
	if r := collect(t, o); r.Hearing.Sound() || r.Hearing.PilotsHeard != 0 {
		t.Errorf("it hears what it does not listen for: %+v", r.Hearing)
	}
}

func TestVictimThatDied(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newVictim(t, program, tr, tr.watch)
	must(t, o.actor.cmd.Process.Kill())
	o.actor.cmd.Wait()
	if o.Pilot(t.Context(), channel.PilotAfter) == nil {
		t.Error("a dead victim took a pilot")
	}
	if _, err := o.Collect(t.Context()); err == nil {
		t.Error("a dead victim was looked at")
	}
	if o.Pilot(t.Context(), "no.phase") == nil {
		t.Error("a pilot of no phase")
	}
}

func TestSignalsArePutTogether(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.NetTCP4)
	raw, err := hex.DecodeString(text)
	must(t, err)
	s := &signals{values: tr.watch.Stream(), numbers: tr.watch.Stream()}
	seen := map[channel.ID]int{}
	record := func(signal int, value uint64) {
		_, found, ok := s.record(fmt.Sprintf("%d %016x\n", signal, value))
		if !ok {
			t.Fatalf("signal %d was not understood", signal)
		}
		for id, n := range found {
			seen[id] += n
		}
	}
	record(signalValue, binary.BigEndian.Uint64(raw))
	for _, digit := range raw {
		record(signalNumber+int(digit>>4), 0)
		record(signalNumber+int(digit&15), 0)
	}
	record(39, 1) // none of ours
	record(signalValue, binary.BigEndian.Uint64(raw[8:]))
	if seen[channel.NetTCP4] != 2 || len(seen) != 1 {
		t.Errorf("seen %v", seen)
	}
	for _, bad := range []string{"", "x 1\n", "40\n", "40 x\n", "40 11111111111111111\n", "40  1\n"} {
		if _, _, ok := s.record(bad); ok {
			t.Error("a record that is none was understood")
		}
	}
}

func FuzzSignalRecord(f *testing.F) {
	f.Add("40 00000000000000ff\n")
	f.Add("44 0")
	f.Fuzz(func(t *testing.T, line string) {
		w := newTrial(t).watch
		s := &signals{values: w.Stream(), numbers: w.Stream()}
		if n, seen, ok := s.record(line); len(seen) != 0 || n > 8 || !ok && n != 0 {
			t.Error("a line was taken for more than one signal")
		}
	})
}

func TestLimits(t *testing.T) {
	const both = "Limit  Soft Limit  Hard Limit  Units\nMax resident set  18  unlimited  bytes\nMax file locks  unlimited  unlimited  locks\n"
	raw, err := parseLimits(both)
	if err != nil || hex.EncodeToString(raw) != "0000000000000012ffffffffffffffff" {
		t.Errorf("%x, %v", raw, err)
	}
	for _, bad := range []string{"", strings.Replace(both, "18", "x", 1), strings.Replace(both, "locks", "other", 1)} {
		if _, err := parseLimits(bad); err == nil {
			t.Error("limits that are not there were read")
		}
	}
}
