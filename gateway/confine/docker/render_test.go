package docker

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"postern/gateway/confine"

	"github.com/google/go-cmp/cmp"
)

func testImage() string { return "sha256:" + strings.Repeat("02", 32) }

// rendered is a profile as the Engine would be asked for it.
func rendered(t *testing.T, p confine.Profile) string {
	t.Helper()
	config, host, networks, err := Render(p, testImage(), labelled())
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(map[string]any{"Config": config, "HostConfig": host, "NetworkingConfig": networks}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

func TestRenderReference(t *testing.T) {
	const golden = "testdata/rendered.json"
	got := rendered(t, confine.Reference())
	if *record {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the rendered reference changed (-recorded +now):\n%s", diff)
	}
}

// A weakening that renders as the reference would test nothing.
func TestEveryWeakeningRenders(t *testing.T) {
	reference := rendered(t, confine.Reference())
	for _, c := range weakenings() {
		p := confine.Reference()
		c.apply(&p, world{dir: "/srv/in", peer: "peer"})
		if rendered(t, p) == reference {
			t.Errorf("%s: rendered as the reference", c.name)
		}
	}
}

func TestRenderTakesImagesByIDOnly(t *testing.T) {
	hex := strings.Repeat("0a", 32)
	for _, image := range []string{
		"", "agent", "agent:latest", "agent@sha256:" + hex, hex, "sha256:" + hex[1:], "sha256:" + hex + "0",
		"sha256:" + strings.ToUpper(hex), "sha512:" + hex, "sha256:" + hex[1:] + "g",
	} {
		if _, _, _, err := Render(confine.Reference(), image, nil); err == nil {
			t.Errorf("%q is rendered", image)
		}
	}
}

// What is rendered may be changed (the client does) without changing the profile.
func TestRenderSharesNothing(t *testing.T) {
	p := confine.Reference()
	p.Binds = append(make([]string, 0, 4), "/a:/b")
	p.Volumes = []string{"v:/v"}
	labels := labelled()
	config, host, _, err := Render(p, testImage(), labels)
	if err != nil {
		t.Fatal(err)
	}
	host.CapDrop[0], host.Binds[0], config.Labels["postern"] = "x", "x", "x"
	if p.CapDrop[0] != "ALL" || p.Binds[0] != "/a:/b" || p.Binds[:2][1] != "" || labels["postern"] != "1" {
		t.Error("the profile or the labels changed with what was rendered")
	}
}

func TestRenderDevicesAndPorts(t *testing.T) {
	p := confine.Reference()
	p.Devices = []string{"/dev/a", "/dev/a:/dev/b", "/dev/a:/dev/b:r"}
	p.Ports = confine.Ports{Publish: []string{"127.0.0.1:0:80/tcp"}, Expose: []string{"81/udp"}}
	config, host, _, err := Render(p, testImage(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal([]any{host.Devices, config.ExposedPorts, host.PortBindings})
	if err != nil {
		t.Fatal(err)
	}
	const want = `[[{"PathOnHost":"/dev/a","PathInContainer":"/dev/a","CgroupPermissions":"rwm"},` +
		`{"PathOnHost":"/dev/a","PathInContainer":"/dev/b","CgroupPermissions":"rwm"},` +
		`{"PathOnHost":"/dev/a","PathInContainer":"/dev/b","CgroupPermissions":"r"}],` +
		`{"80/tcp":{},"81/udp":{}},{"80/tcp":[{"HostIp":"127.0.0.1","HostPort":"0"}]}]`
	if string(got) != want {
		t.Errorf("rendered\n%s, want\n%s", got, want)
	}
	p.Ports.Publish = []string{"nonsense"}
	if _, _, _, err := Render(p, testImage(), nil); err == nil {
		t.Error("a port that is none is rendered")
	}
}
