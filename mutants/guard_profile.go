package mutants

import (
	"strings"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/bubblewrap"
	"postern/gateway/guard"
	"postern/gateway/upstream"
)

// guarded lists the mutants of the guard. Each shows with a hostile tool server,
// whom the reference confines, or does not start.
func guarded() []Mutant {
	return append(append(guardTable(), guardProfile()...), guardSecrets()...)
}

// guardProfile lists the mutants of the standard profile's rules, and of how
// bubblewrap keeps them.
func guardProfile() []Mutant {
	sandbox := func(id, why string, weakens confine.Control, change func(*bubblewrap.Weakness), opens ...channel.ID) Mutant {
		return enrolledMutant(id, why, weakens, func(w *upstream.GuardWeakness) { change(&w.Sandbox) }, opens...)
	}
	return []Mutant{
		enrolledMutant("write-documents", "the profile lets the server write to the user's documents", gateway.GuardWrites,
			func(w *upstream.GuardWeakness) { w.Granted = []string{"documents"} }, channel.GuardFile),
		enrolledMutant("write-autostart", "the profile lets the server write what the desktop starts", gateway.GuardWrites,
			func(w *upstream.GuardWeakness) { w.Granted = []string{".config/autostart"} }, channel.GuardAutostart),
		enrolledMutant("network-full", "the profile gives the server the whole network", gateway.GuardNetwork,
			func(w *upstream.GuardWeakness) { w.Network = guard.NetFull }, channel.GuardListener),
		sandbox("binds-writable", "what the server only reads is bound for writing", gateway.GuardWrites,
			func(w *bubblewrap.Weakness) { w.Writable = true }, channel.GuardAutostart, channel.GuardFile),
		sandbox("sockets-shown", "the sockets of other programs are left in the tree", gateway.GuardSockets,
			func(w *bubblewrap.Weakness) { w.Sockets = true }, channel.GuardSocket),
		sandbox("session-shared", "the server keeps the session and the terminal of who started it", gateway.GuardSession,
			func(w *bubblewrap.Weakness) { w.Session = true }, channel.GuardTerminal),
		sandbox("outlives-gateway", "the server does not die with the gateway", gateway.GuardLifetime,
			func(w *bubblewrap.Weakness) { w.Outlive = true }, channel.GuardProcess),
		sandbox("calls-unfiltered", "no filter of system calls is loaded", gateway.GuardCalls,
			func(w *bubblewrap.Weakness) { w.Unfiltered = true }, channel.GuardKeyring),
		// The end of a sandbox's first process ends all others; this one has none.
		sandbox("processes-shown", "the server is among the processes of the machine", gateway.GuardProcesses,
			func(w *bubblewrap.Weakness) { w.Processes = true }, channel.GuardArguments, channel.GuardProcess),
		sandbox("ipc-shared", "the server has the shared memory of the machine", gateway.GuardIPC,
			func(w *bubblewrap.Weakness) { w.IPC = true }, channel.GuardSegment),
	}
}

func enrolledMutant(id, why string, weakens confine.Control, change func(*upstream.GuardWeakness), opens ...channel.ID) Mutant {
	return Mutant{
		ID: "guard/" + id, Why: why, Weakens: weakens, Under: "guard/enrolled", Needs: []Need{NeedSandbox}, Opens: opens,
		Apply: func(c *gateway.Config, _ Site) { change(&c.Upstream.Guard.Weak) },
	}
}

// guardSecrets lists a mutant for each secret place below home.
func guardSecrets() []Mutant {
	var out []Mutant
	for _, place := range SecretPlaces() {
		out = append(out, enrolledMutant("unmasked-"+slugged(place), "the profile does not mask ~/"+place, gateway.GuardSecrets,
			func(w *upstream.GuardWeakness) { w.Unmasked = []string{place} }, channel.GuardSecret))
	}
	return out
}

// SecretPlaces are those that the standard profile masks below home on Linux, as
// paths below it.
func SecretPlaces() []string {
	const home = "/home/sample"
	p, err := guard.Derive(
		guard.Request{Server: "sample", Command: []string{"/sample"}, Tier: guard.Standard},
		guard.Machine{OS: "linux", Home: home, Temp: "/tmp", State: "/var/sample"}, time.Time{},
	)
	if err != nil {
		panic("the standard profile could not be derived for a sample")
	}
	var out []string
	for _, place := range p.Mask {
		if at, below := strings.CutPrefix(place, home+"/"); below {
			out = append(out, at)
		}
	}
	return out
}

// slugged is a path as a part of an id.
func slugged(path string) string {
	words := strings.FieldsFunc(strings.ToLower(path), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	return strings.Join(words, "-")
}
