package harness

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/api/types/volume"
	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/harness/host"
)

// A killed run leaves volumes with and without a name, and images that were
// made of containers and of the agent's image. A sweep takes all of them, and leaves those of a live one.
func TestSweepTakesVolumesAndImages(t *testing.T) {
	api := realEngine(t)
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++
	gone, kept := leaveBehind(t, api, dead), leaveBehind(t, api, self)
	if _, err := sweep(t.Context(), api); err != nil {
		t.Fatal(err)
	}
	for _, left := range []struct {
		things left
		want   bool
	}{{gone, false}, {kept, true}} {
		for _, name := range left.things.volumes {
			if _, err := api.VolumeInspect(t.Context(), name); (err == nil) != left.want {
				t.Errorf("a volume is there: %v, want %v", err == nil, left.want)
			}
		}
		for _, id := range left.things.images {
			if _, err := api.ImageInspect(t.Context(), id); (err == nil) != left.want {
				t.Errorf("an image is there: %v, want %v", err == nil, left.want)
			}
		}
	}
}

// left is what one run left in the Engine.
type left struct {
	volumes []string
	images  []string
}

func leaveBehind(t *testing.T, api *client.Client, owner host.Owner) left {
	t.Helper()
	labels := map[string]string{labelOurs: "1", labelOwner: owner.String()}
	agent := t.TempDir() + "/agent"
	if err := os.WriteFile(agent, []byte("not a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	id, err := fixtures.BuildImage(t.Context(), api, agent)
	if err != nil {
		t.Fatal(err)
	}
	variant, err := fixtures.BuildVariant(t.Context(), api, agent, fixtures.Variant{Labels: map[string]string{labelOwner: owner.String()}})
	if err != nil {
		t.Fatal(err)
	}
	named, err := api.VolumeCreate(t.Context(), volume.CreateOptions{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	made, err := api.ContainerCreate(t.Context(), &container.Config{Image: id, Labels: labels, Volumes: map[string]struct{}{"/mnt/a": {}}},
		&container.HostConfig{NetworkMode: "none", Binds: []string{named.Name + ":/mnt/b"}}, nil, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	committed, err := api.ContainerCommit(t.Context(), made.ID, container.CommitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	info, err := api.ContainerInspect(t.Context(), made.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := left{images: []string{committed.ID, variant}}
	for _, m := range info.Mounts {
		out.volumes = append(out.volumes, m.Name)
	}
	if len(out.volumes) != 2 {
		t.Fatalf("%d volumes", len(out.volumes))
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		api.ContainerRemove(ctx, made.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
		for _, name := range out.volumes {
			api.VolumeRemove(ctx, name, true)
		}
		for _, id := range out.images {
			api.ImageRemove(ctx, id, image.RemoveOptions{Force: true})
		}
		api.ImageRemove(ctx, id, image.RemoveOptions{})
	})
	return out
}

func realEngine(t *testing.T) *client.Client {
	t.Helper()
	api, err := client.NewClientWithOpts(client.WithHost("unix:///var/run/docker.sock"), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	if _, err := api.Ping(t.Context()); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatal("no Engine answers, and one is demanded")
		}
		t.Skip("no Engine answers on /var/run/docker.sock")
	}
	return api
}
