package docker

import (
	"strings"

	"postern/gateway/confine"
	"postern/gateway/confine/calls"

	"github.com/go-json-experiment/json"
)

// The filter of the hardened tier, in the Engine's form (moby's
// profiles/seccomp). It is a list of what is allowed, so a call that is in no
// list, or that a later kernel brings, is refused.
type filter struct {
	DefaultAction string         `json:"defaultAction"`
	ArchMap       []filterArch   `json:"archMap"`
	Syscalls      []filterAllows `json:"syscalls"`
}

type filterArch struct {
	Architecture     string   `json:"architecture"`
	SubArchitectures []string `json:"subArchitectures"`
}

// filterAllows is one rule: all arguments must match. Of several rules for one
// call any may.
type filterAllows struct {
	Names    []string    `json:"names"`
	Action   string      `json:"action"`
	Args     []filterArg `json:"args,omitempty"`
	ErrnoRet uint        `json:"errnoRet,omitempty"`
}

type filterArg struct {
	Index    uint   `json:"index"`
	Value    uint64 `json:"value"`
	ValueTwo uint64 `json:"valueTwo,omitempty"`
	Op       string `json:"op"`
}

const (
	allowed   = "SCMP_ACT_ALLOW"
	refused   = "SCMP_ACT_ERRNO" // EPERM unless told otherwise
	equal     = "SCMP_CMP_EQ"
	maskEqual = "SCMP_CMP_MASKED_EQ"
	enosys    = 38
)

// seccompFilter is the filter that refuses the groups of d.
func seccompFilter(d confine.Deny) string {
	rules := baseRules()
	for i, g := range d.Groups() {
		if !*g.On {
			rules = append(rules, openings()[i]...)
		}
	}
	out, err := json.Marshal(filter{DefaultAction: refused, ArchMap: architectures(d.Compat), Syscalls: rules}, json.Deterministic(true))
	if err != nil {
		panic("a filter that is no JSON: " + err.Error()) // plain values: cannot happen
	}
	return string(out)
}

// readFilter says which groups a filter refuses; ok is false for one that is
// none of ours. It finds each group's rules, and then compares the whole.
func readFilter(text string) (d confine.Deny, ok bool) {
	groups := d.Groups()
	for i, g := range groups {
		opening, err := json.Marshal(openings()[i], json.Deterministic(true))
		*g.On = err != nil || !strings.Contains(text, strings.Trim(string(opening), "[]"))
	}
	return d, text == seccompFilter(d)
}

// architectures leaves the 32-bit entries out: the kernel kills who uses them.
func architectures(native bool) []filterArch {
	x86, arm := []string{"SCMP_ARCH_X86", "SCMP_ARCH_X32"}, []string{"SCMP_ARCH_ARM"}
	if native {
		x86, arm = []string{}, []string{}
	}
	return []filterArch{{"SCMP_ARCH_X86_64", x86}, {"SCMP_ARCH_AARCH64", arm}}
}

// Numbers of address families, address_families(7).
const (
	afUnix, afInet, afInet6             = 1, 2, 10
	afNetlink, afPacket, afAlg, afVsock = 16, 17, 38, 40
	afEnd                               = 46 // above the last that Linux 6.18 has
)

// cloneNamespaces are the flags of clone(2) that make a namespace.
const cloneNamespaces = 0x7E020000

// baseRules are what every agent may do.
func baseRules() []filterAllows {
	rules := []filterAllows{
		{Names: strings.Fields(calls.Plain), Action: allowed},
		// Not EPERM, so that a C library falls back to clone, whose flags can be seen.
		{Names: []string{"clone3"}, Action: refused, ErrnoRet: enosys},
		{Names: []string{"clone"}, Action: allowed, Args: []filterArg{{Index: 0, Value: cloneNamespaces, Op: maskEqual}}},
		{Names: []string{"preadv2"}, Action: allowed, Args: []filterArg{{Index: 5, Value: 0, Op: equal}}},
		when("socketpair", 0, afUnix),
		when("socket", 0, afUnix), when("socket", 0, afInet), when("socket", 0, afInet6),
	}
	for _, persona := range []uint64{0, 8, 0x20000, 0x20008, 0xffffffff} { // as the Engine's default has it
		rules = append(rules, when("personality", 0, persona))
	}
	for _, command := range fcntlCommands() {
		rules = append(rules, when("fcntl", 1, command))
	}
	return rules
}

// when allows a call with one value of one argument.
func when(call string, index uint, value uint64) filterAllows {
	return filterAllows{Names: []string{call}, Action: allowed, Args: []filterArg{{Index: index, Value: value, Op: equal}}}
}

// always allows calls whatever their arguments.
func always(names ...string) []filterAllows { return []filterAllows{{Names: names, Action: allowed}} }

// openings are the rules that a filter has when it does not refuse a group, in
// the order of confine.Deny.Groups.
func openings() [][]filterAllows {
	return [][]filterAllows{
		{when("socket", 0, afVsock)},
		{when("socket", 0, afNetlink)},
		{when("socket", 0, afPacket)},
		{when("socket", 0, afAlg)},
		rareFamilies(),
		always(strings.Fields(compatCalls)...),
		always("io_uring_setup", "io_uring_enter", "io_uring_register"),
		always("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"),
		always("memfd_create", "memfd_secret", "execveat"),
		always("add_key", "request_key", "keyctl"),
		always("unshare", "setns", "clone"),
		always("bpf", "perf_event_open", "userfaultfd", "fanotify_init", "fanotify_mark"),
		always("mincore", "cachestat", "preadv2"),
		always("flock", "fcntl", "fcntl64"),
		always("inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch"),
	}
}

// rareFamilies are named one by one: the kernel looks at 32 bits of the number
// and a filter at 64, so "any but 40" would let 40 through with a bit above.
func rareFamilies() []filterAllows {
	out := always("socketpair")
	for family := uint64(0); family < afEnd; family++ {
		switch family {
		case afUnix, afInet, afInet6, afNetlink, afPacket, afAlg, afVsock:
		default:
			out = append(out, when("socket", 0, family))
		}
	}
	return out
}

// fcntlCommands are those of fcntl(2) that neither lock nor lease: duplicates,
// flags, owners, pipe sizes, seals.
func fcntlCommands() []uint64 {
	return []uint64{0, 1, 2, 3, 4, 8, 9, 1030, 1031, 1032, 1033, 1034}
}
