package harness

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/docker/docker/api/types/network"
	"github.com/docker/docker/client"

	"postern/harness/host"
)

// The network of a dead run goes, that of a live one stays.
func TestSweepTakesNetworksOfTheDead(t *testing.T) {
	api, err := client.NewClientWithOpts(client.WithHost("unix://"+DefaultSocket), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	if _, err := api.Ping(t.Context()); err != nil {
		t.Skip("no Engine answers")
	}
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++ // the same pid, another process
	made := map[string]string{}
	for name, owner := range map[string]host.Owner{"live": self, "dead": dead} {
		n, err := api.NetworkCreate(t.Context(), fmt.Sprintf("postern-sweep-%s-%d", name, os.Getpid()), network.CreateOptions{
			Driver: "bridge", Labels: map[string]string{labelOurs: "1", labelOwner: owner.String(), labelTrial: owner.String()},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { api.NetworkRemove(context.Background(), n.ID) })
		made[name] = n.ID
	}
	if _, err := sweep(t.Context(), api); err != nil {
		t.Error(err)
	}
	if _, err := api.NetworkInspect(t.Context(), made["live"], network.InspectOptions{}); err != nil {
		t.Errorf("the network of a live run: %v", err)
	}
	if _, err := api.NetworkInspect(t.Context(), made["dead"], network.InspectOptions{}); err == nil {
		t.Error("the network of a dead run is still there")
	}
}
