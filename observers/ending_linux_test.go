package observers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A process that has left its namespaces and is not yet gone, as a zombie is for
// good, has nothing to show; the kernel does not say of it that it is not there.
func TestWhatIsEndingShowsNothing(t *testing.T) {
	child := exec.Command("/proc/self/exe", "-test.run=^$")
	must(t, child.Start())
	defer child.Wait()
	dir := fmt.Sprintf("/proc/%d", child.Process.Pid)
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(dir + "/stat")
		must(t, err)
		if bytes.Contains(stat, []byte(") Z ")) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the child does not end")
		}
	}
	if _, err := readTasks(newTrial(t).watch, []string{dir}); err != nil {
		t.Error(err)
	}
}
