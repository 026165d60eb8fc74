package observers

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// shown is a process of a user whose command line is the canary of a channel.
func shown(t *testing.T, tr *trial, program string, uid, gid int, id channel.ID) {
	t.Helper()
	cmd := exec.Command(program, childWord, showWord, strings.Repeat(".", argumentRoom))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	a, err := start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.close() })
	if err := a.show(plan.Probe{Canary: tr.text(id)}); err != nil {
		t.Fatal(err)
	}
}

func newPrivilege(t *testing.T, program string, tr *trial, watch *canary.Watch) *Privilege {
	t.Helper()
	o, err := NewPrivilege(program, watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	o.Enter("", os.Getpid()) // the processes of this test are in one cgroup
	return o
}

func TestPrivilegesCountWhereTheyAre(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newPrivilege(t, program, tr, tr.watch)
	pilot(t, o, channel.PilotBefore)
	shown(t, tr, program, 0, 0, channel.ProcessUserRoot)
	shown(t, tr, program, 0, 0, channel.ProcessCapability)
	shown(t, tr, program, neighbourUID, 7, channel.ProcessGroup)
	shown(t, tr, program, 0, 0, channel.ProcessUserGained)                        // root, but not gained
	shown(t, tr, program, neighbourUID, neighbourUID, channel.ProcessEnvironment) // another's canary
	must(t, o.Look(t.Context()))
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.ProcessUserRoot: 1, channel.ProcessCapability: 1, channel.ProcessGroup: 1})
}

func TestPrivilegesThatAreNotThere(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newPrivilege(t, program, tr, tr.watch)
	for _, id := range []channel.ID{channel.ProcessUserRoot, channel.ProcessCapability, channel.ProcessGroup, channel.ProcessUserGained} {
		shown(t, tr, program, neighbourUID, neighbourUID, id)
	}
	must(t, o.Look(t.Context()))
	saw(t, collect(t, o), nil)
}

func TestPrivilegesNotHeardOrNotToBeRead(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o := newPrivilege(t, program, tr, newTrial(t).watch)
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if r := collect(t, o); r.Hearing.PilotsHeard != 0 {
		t.Errorf("deaf, and yet %+v", r.Hearing)
	}
	o.Enter("", 1<<30)
	if o.Look(t.Context()) == nil {
		t.Error("a container without processes was looked at")
	}
	must(t, o.actor.cmd.Process.Kill())
	o.actor.cmd.Wait()
	if o.Pilot(t.Context(), channel.PilotAfter) == nil {
		t.Error("a dead process showed a pilot")
	}
}

func TestBecame(t *testing.T) {
	const status = "Name:\tx\nUid:\t7\t7\t7\t7\nGid:\t7\t7\t7\t7\nGroups:\t7 \nCapEff:\t0000000000000000\n"
	with := func(old, new string) string { return strings.Replace(status, old, new, 1) }
	for _, c := range []struct {
		id     channel.ID
		status string
		want   bool
	}{
		{channel.ProcessUserRoot, status, false},
		{channel.ProcessUserRoot, with("Uid:\t7", "Uid:\t0"), true},
		{channel.ProcessUserRoot, with("Uid:\t7\t7", "Uid:\t7\t0"), false},
		{channel.ProcessUserGained, with("Uid:\t7\t7", "Uid:\t7\t0"), true},
		{channel.ProcessUserGained, with("Uid:\t7\t7", "Uid:\t0\t0"), false},
		{channel.ProcessCapability, status, false},
		{channel.ProcessCapability, with("CapEff:\t0", "CapEff:\t1"), true},
		{channel.ProcessCapability, with("CapEff", "CapPrm"), false},
		{channel.ProcessGroup, status, false},
		{channel.ProcessGroup, with("Groups:\t7 ", "Groups:\t"), false},
		{channel.ProcessGroup, with("Groups:\t7 ", "Groups:\t7 8 "), true},
		{channel.ProcessGroup, with("Gid:\t7", "Gid:\t8"), true},
		{channel.NetTCP4, with("Uid:\t7", "Uid:\t0"), false},
		{channel.PilotBefore, status, true},
		{channel.PilotBefore, "", false},
	} {
		if got := became(c.id, c.status); got != c.want {
			t.Errorf("%s, %q: %v", c.id, c.status, got)
		}
	}
}
