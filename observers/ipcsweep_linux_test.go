package observers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeysOfATable(t *testing.T) {
	const table = "       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid\n" +
		"1075741825          4   600          32          1    77     0 2000001 2000001\n" +
		"        -7          5   600          32          1    77     0    12    12\n" +
		"         9          6   600\n" + "         x          6   600 0 0 0 0 1 1\n"
	if diff := cmp.Diff(map[int]int{1075741825: 2000001, -7: 12}, parseKeys(table)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "key\n1 2\n", "uid key\n1 2\n"} {
		if got := parseKeys(bad); len(got) != 0 {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

func FuzzKeysOfATable(f *testing.F) {
	f.Add("key id uid\n1 2 3\n")
	f.Fuzz(func(t *testing.T, table string) { parseKeys(table) })
}

func TestIPCObjectsOfKilledRunsAreSwept(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("to make another user's objects takes root")
	}
	const gone, here = neighbourUID + 10, neighbourUID + 11
	host := space{shm: "/dev/shm"}
	text := newTrial(t).pilots.Before.Reveal()
	for _, uid := range []int{gone, here} {
		t.Cleanup(func() { host.remove(ipcAgent | uid) })
		must(t, host.plant(ipcAgent|uid, text))
	}
	must(t, host.plant(ipcPilot|gone, text))
	must(t, os.WriteFile("/dev/shm/postern-notours", nil, 0o600))
	t.Cleanup(func() { os.Remove("/dev/shm/postern-notours") })
	must(t, SweepIPC(func(uid int) bool { return uid != gone }))
	left, err := host.keys()
	must(t, err)
	_, agent := left[ipcAgent|gone]
	_, pilot := left[ipcPilot|gone]
	_, other := left[ipcAgent|here]
	if agent || pilot || !other {
		t.Errorf("left: of the killed run %v, %v; of the live one %v", agent, pilot, other)
	}
	if _, err := os.Stat(filepath.Join("/dev/shm", "postern-notours")); err != nil {
		t.Error("a file that is not a trial's is gone")
	}
}
