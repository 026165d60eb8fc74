package confine

import (
	"os"
	"os/exec"
	"testing"
)

// The limit cannot be raised again, so a child of this test takes it.
func TestDenyCores(t *testing.T) {
	if os.Getenv("POSTERN_TEST_DENY_CORES") == "1" {
		if err := DenyCores(); err != nil {
			t.Fatal(err)
		}
		f, err := HostFacts()
		if err != nil {
			t.Fatal(err)
		}
		if f.CoreSoft != 0 || f.CoreHard > 1 {
			t.Fatalf("the core limit is %d:%d", f.CoreSoft, f.CoreHard)
		}
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestDenyCores$")
	child.Env = append(os.Environ(), "POSTERN_TEST_DENY_CORES=1")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestHostFacts(t *testing.T) {
	f, err := HostFacts()
	if err != nil {
		t.Fatal(err)
	}
	if f.OS != "linux" || f.HostKernel == "" || f.Socket != "" || f.PeerIsDockerd {
		t.Errorf("the host's half of the facts is %+v", f)
	}
}

// This test is a process of the host's: it must be refused for what it shares.
func TestReadProcessOfTheHost(t *testing.T) {
	p, err := ReadProcess(os.Getpid(), "none")
	if err != nil {
		t.Fatal(err)
	}
	refused := map[Control]bool{}
	for _, r := range AdmitProcess(Reference(), p) {
		refused[r.Control] = r.Stage == StageStarted
	}
	for _, c := range []Control{NetworkNone, PIDPrivate, IPCPrivate, UTSPrivate, MountPrivate, CgroupPrivate, CgroupParentDefault} {
		if !refused[c] {
			t.Errorf("a process of the host's has %s", c)
		}
	}
	if _, err := ReadProcess(1<<30, "none"); err == nil {
		t.Error("a process that is not there was read")
	}
}
