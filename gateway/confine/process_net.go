package confine

import (
	"slices"
	"strings"
)

// weakRoutes wants no way out of the network namespace: no route of version 4
// at all, and of version 6 none but the loopback's.
func weakRoutes(p Process) []Control {
	lines := strings.Split(strings.TrimSpace(p.Routes), "\n")
	if !strings.HasPrefix(lines[0], "Iface") || len(lines) > 1 {
		return []Control{NetworkNone}
	}
	for line := range strings.Lines(p.Routes6) {
		cells := strings.Fields(line)
		if len(cells) == 0 || cells[len(cells)-1] != "lo" {
			return []Control{NetworkNone}
		}
	}
	return nil
}

// weakEnvironment wants what the Engine puts into every environment: the
// path, the name, the home.
func weakEnvironment(p Process) []Control {
	var weak []Control
	seen := map[string]bool{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(p.Environment, "\x00"), "\x00") {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case seen[name]:
			weak = append(weak, EnvNone)
		case name == "HOME" && strings.HasPrefix(value, "/"):
		case entry == "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin":
		case name == "HOSTNAME" && len(p.Container) == 64 && value == p.Container[:12]:
		case name == "HOSTNAME" && slices.Contains(p.Host["uts"], p.Namespaces["uts"]):
			weak = append(weak, UTSPrivate) // the host's
		case name == "HOSTNAME" && slices.Contains(p.Host["net"], p.Namespaces["net"]):
			weak = append(weak, NetworkNone) // which brings the host's name
		case name == "HOSTNAME" && weakRoutes(p) != nil:
			weak = append(weak, NetworkNone) // or another container's
		case name == "HOSTNAME":
			weak = append(weak, HostnameDefault)
		case name == "TERM":
			weak = append(weak, TTYOff)
		default:
			weak = append(weak, EnvNone)
		}
		seen[name] = true
	}
	if !seen["PATH"] || !seen["HOSTNAME"] || !seen["HOME"] {
		weak = append(weak, EnvNone)
	}
	return weak
}
