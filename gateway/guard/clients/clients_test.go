package clients

import (
	"strings"
	"testing"
	"time"

	"postern/gateway/guard"
)

var (
	linux = guard.Machine{OS: "linux", Home: "/home/ada", Temp: "/tmp", State: "/home/ada/.local/state/postern"}
	mac   = guard.Machine{OS: "darwin", Home: "/Users/ada", Temp: "/private/tmp", State: "/Users/ada/Library/Application Support/postern"}
)

// at is a machine whose user keeps configurations elsewhere.
func at(config string) guard.Machine {
	m := linux
	m.Config = config
	return m
}

// A client's file holds the tokens of other servers, and a server that could
// write it would have the client start what it likes.
func TestNoServerSeesAClientsFile(t *testing.T) {
	below := func(path string, trees []string) bool {
		for _, tree := range trees {
			if strings.HasPrefix(path+"/", tree+"/") {
				return true
			}
		}
		return false
	}
	for _, m := range []guard.Machine{linux, mac, at("/etc/xdg")} {
		p, err := guard.Derive(guard.Request{Server: "files", Command: []string{"npx"}, Tier: guard.Standard}, m, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range All() {
			path := c.Path(m)
			if !below(path, p.Mask) {
				t.Errorf("%s: %s can be read", c.ID, path)
			}
			if below(path, p.Write) {
				t.Errorf("%s: %s can be written", c.ID, path)
			}
		}
	}
}

func TestClients(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		for _, word := range []string{c.ID, c.Path(linux), c.Path(mac)} {
			if seen[word] && word != "" {
				t.Errorf("%s: %s stands for two clients", c.ID, word)
			}
			seen[word] = true
		}
		if c.Name == "" || len(c.Keys) == 0 || c.ID != strings.ToLower(c.ID) || strings.ContainsAny(c.ID, " :/") {
			t.Errorf("%+v", c)
		}
		if strings.HasPrefix(c.Linux, ".config/") != strings.HasPrefix(c.Path(at("/etc/xdg")), "/etc/xdg/") {
			t.Errorf("%s: %s with XDG_CONFIG_HOME", c.ID, c.Path(at("/etc/xdg")))
		}
		if c.Path(at("relative")) != c.Path(linux) {
			t.Errorf("%s: a configuration directory is used that is none", c.ID)
		}
	}
}
