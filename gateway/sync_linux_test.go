package gateway

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"postern/gateway/audit"
	"postern/gateway/audit/audittest"
)

// These make this test binary another process, whose disk cannot be waited for.
const (
	childBuilt = "POSTERN_GATEWAY_BUILT" // where the tool servers are
	childWeak  = "POSTERN_GATEWAY_WEAK"  // whether the gateway waits for it
)

// What the disk does not have is not released: the tool hears nothing of the call.
// A gateway that does not wait for the disk goes on.
func TestNoCallIsReleasedThatTheDiskDoesNotHave(t *testing.T) {
	if os.Getenv(childBuilt) != "" {
		callWithoutSync(t, os.Getenv(childWeak) != "")
		return
	}
	for _, weak := range []string{"", "nosync"} {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), childBuilt+"="+filepath.Dir(server.path), childWeak+"="+weak)
		if said, err := child.CombinedOutput(); err != nil {
			t.Errorf("%q: %v, %s", weak, err, said)
		}
	}
}

func callWithoutSync(t *testing.T, weak bool) {
	s := newSink(t)
	g, err := OpenWeak(t.Context(), config(t, s), Weakness{Log: audit.Weakness{NoSync: weak}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close() // which fails where the log did
	if reply := g.Handle(t.Context(), asks(t, "deliver", "before")); reply.Code != "" {
		t.Fatal(reply.Code)
	}
	if err := audittest.FailSync(); err != nil {
		t.Fatal(err)
	}
	want, code := 0, refuse(unavailable).Code
	if weak {
		want, code = 1, ""
	}
	reply := g.Handle(t.Context(), asks(t, "deliver", secret))
	if _, texts := s.heard("vault_store", secret); texts != want || reply.Code != code {
		t.Errorf("the tool heard %d calls, want %d; code %q, want %q", texts, want, reply.Code, code)
	}
}
