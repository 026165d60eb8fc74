package confine

// Tier is the strictness that a profile is held to.
type Tier string

const (
	TierReference Tier = ""         // what any agent must be confined by
	TierHardened  Tier = "hardened" // what can be closed of the reference's residual channels as well
)

// Profile is the tier's own. A tier that is not known is held to the strictest.
func (t Tier) Profile() (p Profile, known bool) {
	switch t {
	case TierReference:
		return Reference(), true
	case TierHardened:
		return Hardened(), true
	}
	return Hardened(), false
}

// Hardened is the reference, and what closes more: a system call filter of our
// own, a core limit that stops a piped core too (core(5): a limit of 1 aborts
// the handler), one CPU, little shared memory, and no queue that other
// processes of the same user could count.
func Hardened() Profile {
	p := Reference()
	p.Tier = TierHardened
	p.Core = CoreLimit{Soft: 1, Hard: 1}
	p.ShmSize = 1 << 20
	p.CPU.Nano = 1e9
	p.Ulimits = []string{"memlock=0:0", "msgqueue=0:0", "nofile=256:256", "sigpending=0:0"}
	p.Deny = DenyAll()
	return p
}

// Required is what admission demands of a subject whose profile is p: its
// tier's profile, with the user and the limits of p where those are at least
// as strict. It is never what a weakened subject asks for.
func Required(p Profile) Profile {
	want, _ := p.Tier.Profile()
	weak := map[Control]bool{}
	for _, c := range Weaknesses(p) {
		weak[c] = true
	}
	if !weak[UserNonroot] {
		want.User = p.User
	}
	if !weak[PidsLimit] {
		want.Pids = p.Pids
	}
	if !weak[MemoryLimit] {
		want.Memory = p.Memory
	}
	if !weak[ShmDefault] {
		want.ShmSize = p.ShmSize
	}
	if !weak[CPUExact] {
		want.CPU = p.CPU
	}
	return want
}
