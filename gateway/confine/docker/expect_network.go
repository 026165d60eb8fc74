package docker

import (
	"strings"

	"postern/gateway/confine"
)

// networkExpectations are NetworkSettings of a container that is in the
// network "none" and in no other. All of it belongs to one control but ports.
func networkExpectations() []expectation {
	const top, ends = "NetworkSettings.", "NetworkSettings.Networks.none."
	var all []expectation
	add := func(path string, allows allow, optional bool) {
		all = append(all, expectation{path: path, control: confine.NetworkNone, allows: allows, optional: optional})
	}
	all = append(all, expectation{path: top + "Ports", control: confine.PortsNone, allows: empty()})
	// Left as they were by Engine 20.10 when it ends, blank in later ones.
	add(top+"SandboxID", lives(is(`""`), id64(), either(is(`""`), id64())), false)
	add(top+"SandboxKey", lives(is(`""`), ownSandbox(), either(is(`""`), ownSandbox())), false)
	add(top+"HairpinMode", is(`false`), false)
	for _, blank := range []string{"Bridge", "LinkLocalIPv6Address", "EndpointID", "Gateway", "GlobalIPv6Address", "IPAddress", "IPv6Gateway", "MacAddress"} {
		add(top+blank, is(`""`), false)
	}
	for _, zero := range []string{"LinkLocalIPv6PrefixLen", "GlobalIPv6PrefixLen", "IPPrefixLen"} {
		add(top+zero, is(`0`), false)
	}
	for _, list := range []string{"SecondaryIPAddresses", "SecondaryIPv6Addresses"} {
		add(top+list, empty(), false)
	}

	add(ends+"IPAMConfig", is(`null`, `{}`), false)
	for _, list := range []string{"Links", "Aliases", "DriverOpts"} {
		add(ends+list, empty(), false)
	}
	for _, id := range []string{"NetworkID", "EndpointID"} {
		add(ends+id, phrase(func(s string, a *account) bool { return hexDigits(s) || s == "" && (a.over || !a.started()) }), false)
	}
	for _, blank := range []string{"Gateway", "IPAddress", "IPv6Gateway", "GlobalIPv6Address", "MacAddress"} {
		add(ends+blank, is(`""`), false)
	}
	for _, zero := range []string{"IPPrefixLen", "GlobalIPv6PrefixLen"} {
		add(ends+zero, is(`0`), false)
	}
	add(ends+"DNSNames", empty(), true)   // Engine 25 and later
	add(ends+"GwPriority", is(`0`), true) // Engine 28
	return all
}

// ownSandbox allows the network namespace named after the container's sandbox;
// the host's is called "default".
func ownSandbox() allow {
	return phrase(func(s string, a *account) bool {
		sandbox := text(a.values["NetworkSettings.SandboxID"])
		return len(sandbox) == 64 && strings.HasPrefix(s, "/") && strings.HasSuffix(s, "/netns/"+sandbox[:12])
	})
}
