package seatbelt

import (
	"fmt"

	"postern/gateway/guard"
)

// values are names, or the beginnings of names, of what programs ask the kernel
// for when they start. The arguments and the environment of any process of the
// user are asked for by a number without a name (kern.procargs2), so that only a
// list of what is allowed leaves them out.
var values = []string{
	"hw.", "kern.argmax", "kern.boottime", "kern.hostname", "kern.iossupportversion", "kern.maxfilesperproc", "kern.maxproc",
	"kern.ngroups", "kern.osproductversion", "kern.osrelease", "kern.ostype", "kern.osvariant_status", "kern.osversion",
	"kern.secure_kernel", "kern.usrstack64", "kern.version", "machdep.cpu.", "security.mac.lockdown_mode_state",
	"sysctl.proc_cputype", "sysctl.proc_native", "vm.loadavg",
}

// services look up users, groups and where a user's temporary files are. The
// further ones are for the whole network: names and certificates.
var (
	services   = []string{"com.apple.bsd.dirhelper", "com.apple.system.notification_center", "com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership"}
	ofNetworks = []string{"com.apple.SystemConfiguration.DNSConfiguration", "com.apple.SystemConfiguration.configd", "com.apple.trustd", "com.apple.trustd.agent"}
)

// sources are devices that are only read; sinks, those that are written too. The
// last, /dev/fd, is what a process has open already.
var (
	sources = []string{"/dev/random", "/dev/urandom"}
	sinks   = []string{"/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr"}
	opened  = "/dev/fd"
)

// does are the rules of each access. Programs are started, and libraries loaded,
// from where they may be read.
var does = map[access]string{
	masked: "deny file-read* file-write* file-map-executable process-exec*",
	reads:  "allow file-read* file-map-executable process-exec*",
	writes: "allow file-read* file-write* file-map-executable process-exec*",
}

// Render is the text of a profile. It looks at nothing but its argument: links
// of the user's, and the spelling on the disk, are for Settle. Where the profile
// cannot be kept to the error is an *Unable.
func Render(p guard.Profile) (string, error) {
	rules, why := rulesOf(p)
	if why != "" {
		return "", &Unable{why}
	}
	var t text
	t.line("(version 1)")
	t.line("(deny default)")
	t.processes()
	t.paths(rules)
	t.devices()
	t.network(p)
	return t.String(), nil
}

func (t *text) processes() {
	t.remark("Its own processes, and what every program asks the system for.")
	t.line("(allow process-fork)")
	t.line("(allow process-info* signal (target same-sandbox))")
	t.line("(allow ipc-posix-sem)")
	t.form("allow sysctl-read", each("sysctl-name-prefix", values...))
	t.form("allow mach-lookup", each("global-name", services...))
}

func (t *text) paths(rules []rule) {
	t.remark("Paths, from the root down: of two rules the later one decides.")
	for i := 0; i < len(rules); {
		n := i
		var filters []string
		for ; n < len(rules) && rules[n].access == rules[i].access; n++ {
			filters = append(filters, rules[n].filters()...)
		}
		t.form(does[rules[i].access], filters)
		i = n
	}
	t.remark("The way to them, and the root, which is read to start any program.")
	t.form("allow file-read-metadata", each("literal", append(above(rules), linked...)...))
	t.form("allow file-read*", each("literal", "/"))
	// A link in the place of one would be followed at the next start.
	t.remark("What is written stays where it is.")
	t.form("deny file-write-create file-write-unlink", each("literal", placesOf(rules, writes)...))
}

// filters are those of a tree. A secret place is named by both its paths, and
// also as a plain file.
func (r rule) filters() []string {
	if r.access != masked {
		return each("subpath", r.place)
	}
	all := append(each("literal", r.place), each("subpath", r.place)...)
	return append(all, each("subpath", dataVolume+r.place)...)
}

func (t *text) devices() {
	t.remark("Devices that hold nothing.")
	t.form("allow file-read*", each("literal", sources...))
	t.form("allow file-read* file-write-data", append(each("literal", sinks...), each("subpath", opened)...))
}

func (t *text) network(p guard.Profile) {
	switch p.Network {
	case guard.NetLoopback:
		t.remark("Ports of this machine.")
		var ports []string
		for _, port := range p.Ports {
			ports = append(ports, fmt.Sprintf("localhost:%d", port))
		}
		t.form("allow network-outbound", each("remote tcp", ports...))
	case guard.NetFull:
		t.remark("The whole network, and what looks up names in it.")
		t.form("allow network-outbound", append(each("remote ip", "*:*"), each("literal", "/private/var/run/mDNSResponder")...))
		t.form("allow network-bind network-inbound", each("local ip", "*:*"))
		t.form("allow sysctl-read", each("sysctl-name-prefix", "net.routetable"))
		t.form("allow mach-lookup", each("global-name", ofNetworks...))
	}
}
