package host

import (
	"os/exec"
	"testing"
)

func TestCannotSaysWhyAndWhatToDo(t *testing.T) {
	able := Facts{OS: "linux", LoopbackIPv6: true}
	if r := able.Cannot(); r != "" {
		t.Errorf("an able machine cannot: %s", r)
	}
	for name, f := range map[string]Facts{
		"another OS":       {OS: "darwin", LoopbackIPv6: true},
		"no IPv6 loopback": {OS: "linux"},
		"nothing known":    {},
	} {
		if f.Cannot() == "" {
			t.Errorf("%s: said to be able", name)
		}
	}
}

func TestOwnerRoundTripAndRefusals(t *testing.T) {
	want := Owner{PID: 42, Start: 12345, Boot: "0b1d-77"}
	if got, err := ParseOwner(want.String()); err != nil || got != want {
		t.Errorf("round trip: %v, %v", got, err)
	}
	for _, bad := range []string{"", "1", "1.2", "1.2.", ".2.x", "0.2.x", "-1.2.x", "a.2.x", "1.b.x"} {
		if _, err := ParseOwner(bad); err == nil {
			t.Errorf("%q was taken for an owner", bad)
		}
	}
}

func TestStartTicksCountsFromTheLastParenthesis(t *testing.T) {
	const tail = ") S 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 777 0 0"
	for _, comm := range []string{"(sh", "(a b", "(a) (b", "())"} {
		if got, err := startTicks("9 " + comm + tail); err != nil || got != 777 {
			t.Errorf("%s: %d, %v", comm, got, err)
		}
	}
	if _, err := startTicks("9 (sh) S 1"); err == nil {
		t.Error("a short line gave a start time")
	}
}

func TestAliveKnowsTheVeryProcess(t *testing.T) {
	self, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := self.Alive(); err != nil || !alive {
		t.Errorf("this process: alive %v, %v", alive, err)
	}
	reused := self
	reused.Start++
	if alive, _ := reused.Alive(); alive {
		t.Error("the same pid with another start time counts as alive")
	}
	rebooted := self
	rebooted.Boot = "another"
	if alive, _ := rebooted.Alive(); alive {
		t.Error("the same pid of another boot counts as alive")
	}
	child := exec.Command("true")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	gone, err := ownerOf(child.Process.Pid)
	child.Wait()
	if err == nil && gone != nil {
		if alive, _ := gone.Alive(); alive {
			t.Error("a process that ended counts as alive")
		}
	}
}
