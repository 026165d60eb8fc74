package harness

import (
	"os"
	"testing"

	"github.com/docker/docker/api/types/network"
	"github.com/docker/docker/client"

	"postern/harness/host"
)

// A network of a run that is gone is removed, and one of a run that lives is
// not.
func TestSweepNetworks(t *testing.T) {
	api, err := client.NewClientWithOpts(client.WithHost("unix:///var/run/docker.sock"), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	if _, err := api.Ping(t.Context()); err != nil {
		if os.Getenv("POSTERN_REQUIRE") == "docker" {
			t.Fatal("no Engine answers, and POSTERN_REQUIRE demands one")
		}
		t.Skip("no Engine answers on /var/run/docker.sock")
	}
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++ // the same pid, another process
	for name, owned := range map[string]struct {
		owner host.Owner
		stays bool
	}{"sweep-alive": {self, true}, "sweep-dead": {dead, false}} {
		made, err := api.NetworkCreate(t.Context(), "postern-test-"+name, network.CreateOptions{
			Driver: "bridge", Internal: true, Labels: map[string]string{labelOurs: "1", labelOwner: owned.owner.String()},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer api.NetworkRemove(t.Context(), made.ID)
		if err := sweepNetworks(t.Context(), api); err != nil {
			t.Fatal(err)
		}
		_, err = api.NetworkInspect(t.Context(), made.ID, network.InspectOptions{})
		if stays := err == nil; stays != owned.stays {
			t.Errorf("%s: stays %v, want %v", name, stays, owned.stays)
		}
	}
}
