package seatbelt

import (
	"slices"
	"strings"
	"testing"

	"postern/gateway/guard"
)

func meaning(t testing.TB, p guard.Profile) []clause {
	t.Helper()
	all, err := clauses(render(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What is asked of each profile, as the kernel would: by the real path.
func TestWhatIsPermitted(t *testing.T) {
	const state = home + "/Library/Application Support/postern"
	scratch := state + "/scratch/" + guard.Segment("files")
	all := profiles(t)
	const standard, strict = "standard-none standard-full", "strict-none strict-loopback strict-read"
	for _, c := range []struct {
		profiles, action string
		places           []string
		want             bool
	}{
		{standard, "file-read-data", []string{"/", home + "/.bashrc", home + "/project/x", "/private/etc/hosts", "/usr/bin/true", home + "/.sshx"}, true},
		{standard, "process-exec", []string{"/usr/bin/true", "/opt/homebrew/bin/node"}, true},
		{standard + " " + strict, "file-read-data", []string{
			home + "/.ssh", home + "/.ssh/id", home + "/.netrc", home + "/Library/Keychains/login.keychain-db", "/private/etc/master.passwd",
			"/System/Volumes/Data" + home + "/.ssh/id", state + "/guard-confine.yaml", state + "/scratch/other/x", "/dev/rdisk0", "/dev/tty", "/private/var/db/dslocal/x",
		}, false},
		{standard + " " + strict, "file-read-metadata", []string{home + "/.ssh/id", home + "/.netrc"}, false},
		{standard + " " + strict, "process-exec", []string{home + "/.ssh/x"}, false},
		{standard + " " + strict, "file-map-executable", []string{home + "/.ssh/x"}, false},
		{standard + " " + strict, "file-write-data", []string{
			home + "/.bashrc", home + "/.zprofile", home + "/Library/LaunchAgents/x.plist", "/Library/LaunchDaemons/x.plist", home + "/project/.git/hooks/pre-commit",
			home + "/.ssh/rc", "/usr/local/bin/x", "/private/etc/x", state + "/guard-confine.yaml", home + "/.npmrc", "/dev/rdisk0", "/dev/random",
		}, false},
		{standard + " " + strict, "file-write-create", []string{scratch + "/x", scratch + "/deep/x"}, true},
		{standard + " " + strict, "file-read-data", []string{scratch, scratch + "/x", "/dev/null", "/dev/fd/3", "/dev/urandom"}, true},
		{standard + " " + strict, "file-read-metadata", []string{scratch, state, state + "/scratch", home, "/private", "/tmp", "/var", "/etc"}, true},
		{standard + " " + strict, "file-write-data", []string{"/dev/null", "/dev/fd/1"}, true},
		{standard, "file-write-create", []string{"/private/var/folders/xy/T/x", home + "/.npm/x", home + "/Library/Caches/uv/x"}, true},
		{strict, "file-write-create", []string{"/private/var/folders/xy/T/x", home + "/.npm/x", "/private/tmp/x"}, false},
		// A link in the place of what is written would lead elsewhere at the next start.
		{standard + " " + strict, "file-write-create", []string{scratch}, false},
		{standard + " " + strict, "file-write-unlink", []string{scratch, state}, false},
		{standard, "file-write-unlink", []string{home + "/.npm", "/private/var/folders/xy/T"}, false},
		{strict, "file-read-data", []string{home, home + "/.bashrc", home + "/other/x", "/private/etc/passwd", "/Users"}, false},
		{strict, "file-read-data", []string{"/", "/usr/lib/x", "/System/Library/x", "/private/var/select/sh"}, true},
		{"strict-read", "file-read-data", []string{home + "/project/x", "/private/tmp/shared/x", "/private/var/data", home + "/.ssh/known_hosts"}, true},
		{"strict-read", "file-write-data", []string{home + "/project/x"}, false},
		{"standard-escaped", "file-read-data", []string{`/Users/a"d\a (x)/.ssh/id`}, false},
		{"standard-escaped", "file-read-data", []string{`/Users/a"d\a (x)/x`, `/Users/a`}, true},
	} {
		for _, name := range strings.Fields(c.profiles) {
			m := meaning(t, all[name])
			for _, place := range c.places {
				if got := permits(m, c.action, "path", place); got != c.want {
					t.Errorf("%s: %s %s: %v", name, c.action, place, got)
				}
			}
		}
	}
}

func TestWhatIsAskedOfTheSystem(t *testing.T) {
	for name, p := range profiles(t) {
		m := meaning(t, p)
		full, loopback := p.Network == guard.NetFull, p.Network == guard.NetLoopback
		for _, c := range []struct {
			action, kind, value string
			want                bool
		}{
			{"network-outbound", "remote ip", "*:*", full},
			{"network-inbound", "local ip", "*:*", full},
			{"network-outbound", "path", "/private/var/run/mDNSResponder", full},
			{"network-outbound", "path", "/private/tmp/agent.sock", false},
			{"network-outbound", "remote tcp", "localhost:8080", loopback},
			{"network-outbound", "remote tcp", "localhost:8081", false},
			{"mach-lookup", "global-name", "com.apple.trustd.agent", full},
			{"mach-lookup", "global-name", "com.apple.SecurityServer", false},
			{"mach-lookup", "global-name", "com.apple.coreservices.launchservicesd", false},
			{"mach-lookup", "global-name", "com.apple.system.opendirectoryd.libinfo", true},
			{"appleevent-send", "", "", false},
			{"sysctl-read", "name", "hw.ncpu", true},
			{"sysctl-read", "name", "kern.procargs2", false},
			{"sysctl-read", "name", "kern.proc.all", false},
			{"sysctl-write", "name", "kern.hostname", false},
			{"process-info-pidinfo", "target", "", false},
			{"signal", "target same-sandbox", "", true},
			{"file-link", "path", p.Scratch, false},
			{"system-privilege", "", "", false},
		} {
			if got := permits(m, c.action, c.kind, c.value); got != c.want {
				t.Errorf("%s: %s %s %s: %v", name, c.action, c.kind, c.value, got)
			}
		}
	}
}

// A rule without a filter is for everything: only these may be.
func TestWhatHasNoFilter(t *testing.T) {
	p := profiles(t)["strict-none"]
	p.Read, p.Mask, p.Network = nil, nil, guard.NetLoopback
	for _, c := range meaning(t, p) {
		if len(c.filters) == 0 && !slices.Contains([]string{"process-fork", "ipc-posix-sem"}, c.action) {
			t.Errorf("%s has no filter", c.action)
		}
	}
}
