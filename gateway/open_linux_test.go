package gateway

import (
	"strings"
	"testing"
)

func TestOpenRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"another server":               func(c *Config) { c.Upstream.SHA256 = strings.Repeat("0", 64) },
		"no hash":                      func(c *Config) { c.Upstream.SHA256 = "" },
		"policies that do not compile": func(c *Config) { c.Policy.Policies = []byte("permit everything;") },
		"no schema":                    func(c *Config) { c.Policy.Schema = nil },
		"an unknown initial label":     func(c *Config) { c.Initial = "top" },
		"an alias of nothing":          func(c *Config) { c.Aliases["x"] = "y" },
		"no audit log":                 func(c *Config) { c.Audit = "" },
		"no directory for its keys":    func(c *Config) { c.AuditKeys = c.Audit + "/missing" },
		"no directory for the audit":   func(c *Config) { c.Audit += "/missing/audit.db" },
	} {
		t.Run(name, func(t *testing.T) {
			sink := newSink(t)
			subject := config(t, sink)
			spoil(&subject)
			if g, err := Open(t.Context(), subject); err == nil {
				g.Close()
				t.Error("opened")
			}
			if len(sink.dialled) != 0 {
				t.Error("the tool server was executed")
			}
		})
	}
}

func TestOpenRefusesToolsThatAreNotAsPinned(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"another definition": func(c *Config) { c.Catalogue[1].Definition = strings.Repeat("0", 64) },
		"no pin":             func(c *Config) { c.Catalogue[1].Definition = "" },
		"not listed":         func(c *Config) { c.Catalogue[1].Name = "other"; c.Aliases["publish"] = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			subject := config(t, newSink(t))
			spoil(&subject)
			if g, err := Open(t.Context(), subject); err == nil {
				g.Close()
				t.Error("opened")
			}
		})
	}
}
