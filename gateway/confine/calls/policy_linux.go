package calls

import (
	"fmt"
	"slices"
	"strings"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// server is what a tool server does beyond Plain: it locks files, watches them,
// keeps programs in memory and asks for the names of network interfaces. It does
// none of what the other groups of confine.Deny name.
const server = `
flock fcntl mincore memfd_create inotify_init inotify_init1 inotify_add_watch inotify_rm_watch
preadv2 personality get_mempolicy modify_ldt
`

// unknown are answered as by a kernel that does not have them, so that a C
// library falls back to a call whose arguments can be seen.
const unknown = "clone3 fchmodat2 io_uring_setup"

// cloneNamespaces are the flags of clone(2) that make a namespace.
const cloneNamespaces = 0x7E020000

// Policy is the filter of a tool server's system calls: those of Plain and its
// own, but for what is withheld, and what is allowed on conditions. Calls of other
// architectures, by which other numbers do the same, are refused.
func Policy(withheld string, conditional ...seccomp.NameWithConditions) (seccomp.Policy, error) {
	machine, err := arch.GetInfo("")
	if err != nil {
		return seccomp.Policy{}, fmt.Errorf("finding the machine's system calls: %w", err)
	}
	not := strings.Fields(withheld)
	has := func(names string) []string {
		return slices.DeleteFunc(strings.Fields(names), func(n string) bool {
			_, ok := machine.SyscallNames[n]
			return !ok || slices.Contains(not, n)
		})
	}
	conditional = append(conditional, When("clone", seccomp.Condition{Argument: 0, Operation: seccomp.BitsNotSet, Value: cloneNamespaces}))
	return seccomp.Policy{
		DefaultAction: seccomp.ActionErrno, // EPERM
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: has(Plain + server), NamesWithCondtions: conditional},
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: has(unknown)},
		},
	}, nil
}

// When is a call that is allowed where all of its conditions hold.
func When(call string, is ...seccomp.Condition) seccomp.NameWithConditions {
	return seccomp.NameWithConditions{Name: call, Conditions: is}
}

// Equal is the condition that an argument has a value.
func Equal(argument uint32, value uint64) seccomp.Condition {
	return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
}
