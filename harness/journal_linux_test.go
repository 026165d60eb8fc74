package harness

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postern/harness/host"
)

// changing makes the test binary a run that changes the host and is killed.
const changing = "POSTERN_TEST_CHANGE_HOST"

// mark is what the run writes to a setting that nobody reads meanwhile.
const mark = "/sbin/poweroff-of-a-killed-run"

func TestKilledRunsAreUndone(t *testing.T) {
	if os.Getenv(changing) != "" {
		changeHost(t)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("it needs root")
	}
	before, err := hostNow()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledRunsAreUndone$")
	cmd.Env = append(os.Environ(), changing+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "changed\n" {
		t.Fatalf("the run said %q", line)
	}
	if now, _ := os.ReadFile(setting); !strings.Contains(string(now), mark) {
		t.Error("the run changed nothing")
	}
	journals := ofProcess(t, cmd.Process.Pid)
	if len(journals) != 1 {
		t.Errorf("the run wrote %d journals", len(journals))
	}
	if _, err := sweepJournals(); err != nil {
		t.Error(err)
	}
	if now, _ := os.ReadFile(setting); !strings.Contains(string(now), mark) {
		t.Error("the change of a live run was undone")
	}
	cmd.Process.Kill() // SIGKILL: nothing of its own runs any more
	cmd.Wait()
	if _, err := sweepJournals(); err != nil {
		t.Error(err)
	}
	after, err := hostNow()
	if err != nil {
		t.Fatal(err)
	}
	if after.Settings[setting] != before.Settings[setting] || *after.ClockError == changedClock {
		t.Error("what a killed run changed is as it left it")
	}
	if left := ofProcess(t, cmd.Process.Pid); len(left) != 0 {
		t.Errorf("%d journals are left", len(left))
	}
}

const changedClock = 4242

// changeHost is the run that is killed.
func changeHost(t *testing.T) {
	unlock, err := lockHost(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	now, err := hostNow()
	if err != nil {
		t.Fatal(err)
	}
	restore, err := journal(now, self)
	if err != nil {
		t.Fatal(err)
	}
	defer restore() // where it is not killed after all
	if err := os.WriteFile(setting, []byte(mark), 0); err != nil {
		t.Fatal(err)
	}
	if err := setClockError(changedClock); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("changed\n")
	os.Stdin.Read(make([]byte, 1)) // until it is killed, or nobody is left to do so
}

// ofProcess lists the journals of one run.
func ofProcess(t *testing.T, pid int) (paths []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(journalDirectory, "journal-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		var s state
		text, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(text, &s) != nil {
			continue // another run's, which is gone by now
		}
		if owner, err := host.ParseOwner(s.Owner); err == nil && owner.PID == pid {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestJournalsChangeOnlyWhatTrialsMay(t *testing.T) {
	if err := (state{Settings: map[string]string{"/proc/sys/kernel/panic": "1"}}).restore(); err == nil {
		t.Error("a setting that no trial changes was written")
	}
	for _, parent := range []string{"/docker", "/postern-1/../docker", "postern-1", "/postern-"} {
		if err := (state{Parent: parent}).restore(); err == nil {
			t.Errorf("%s: removed", parent)
		}
	}
}

func TestJournalsOfLiveOrUnknownRunsStay(t *testing.T) {
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++
	rebooted := dead
	rebooted.Boot = "another"
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"live":     {`{"Owner":"` + self.String() + `"}`, false},
		"dead":     {`{"Owner":"` + dead.String() + `"}`, true},
		"reboot":   {`{"Owner":"` + rebooted.String() + `","Settings":{"/proc/sys/kernel/printk":"1"}}`, true},
		"nobody's": {`{}`, false},
		"cut off":  {`{"Owner":"` + dead.String(), false},
	} {
		path := filepath.Join(t.TempDir(), "journal-1")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, got := readJournal(path)
		if got != tt.want {
			t.Errorf("%s: dead %v", name, got)
		}
		if name == "reboot" && len(s.Settings) > 0 {
			t.Error("settings of before a reboot would be put back")
		}
	}
}

func TestCgroupsOfAReleaseAreRemovedAndNoOthers(t *testing.T) {
	if _, err := os.Stat("/sys/fs/cgroup/pids"); err != nil || os.Geteuid() != 0 {
		t.Skip("it needs root and a hierarchy for processes")
	}
	top := fmt.Sprintf("/test-%d", os.Getpid())
	at := filepath.Join(top, "trial", made)
	root := "/sys/fs/cgroup/pids"
	for _, dir := range []string{at + "/0123456789abcdef0123456789abcdef", top + "/another"} {
		if err := os.MkdirAll(root+dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Remove(root + top)
	defer os.Remove(root + top + "/another")
	for range 2 { // again is no error
		if err := removeReleased(at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(root + top + "/trial"); err == nil {
		t.Error("an empty cgroup above is left")
	}
	if _, err := os.Stat(root + top + "/another"); err != nil {
		t.Error("another's cgroup is gone")
	}
}
