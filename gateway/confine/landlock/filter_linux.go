package landlock

import (
	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"postern/gateway/confine/calls"
	"postern/gateway/guard"
)

// withheld are calls for which a namespace of its own would be needed, and those
// that change of a file what Landlock does not look at and servers can do without.
const withheld = `
ioctl prlimit64
shmat shmctl shmdt shmget msgctl msgget msgrcv msgsnd semctl semget semop semtimedop
mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink
chown fchown fchownat lchown setxattr fsetxattr lsetxattr removexattr fremovexattr lremovexattr
`

// filter refuses every socket but those of a network, where the profile has one,
// and pairs that are joined for good: one of datagrams could be joined anew, to a
// program that listens.
func filter(n guard.Network) (seccomp.Policy, error) {
	below := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.LessThan, Value: value}
	}
	not := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.NotEqual, Value: value}
	}
	const datagram = unix.SOCK_DGRAM // and SOCK_RAW, which has this bit too
	allowed := []seccomp.NameWithConditions{
		calls.When("socketpair", calls.Equal(0, unix.AF_UNIX), seccomp.Condition{Argument: 1, Operation: seccomp.BitsNotSet, Value: datagram}),
		calls.When("socket", calls.Equal(0, unix.AF_NETLINK), calls.Equal(2, unix.NETLINK_ROUTE)),
		// Of its own limits alone.
		calls.When("prlimit64", calls.Equal(0, 0)),
		// Nothing is typed into a terminal. The kernel looks at 32 bits; a negative
		// number in more is another command.
		calls.When("ioctl", below(1, 1<<32), not(1, unix.TIOCSTI), not(1, unix.TIOCLINUX)),
		calls.When("ioctl", seccomp.Condition{Argument: 1, Operation: seccomp.GreaterOrEqual, Value: 0xFFFFFFFF_80000000}),
	}
	if n == guard.NetFull {
		allowed = append(allowed, calls.When("socket", calls.Equal(0, unix.AF_INET)), calls.When("socket", calls.Equal(0, unix.AF_INET6)))
	}
	return calls.Policy(withheld, allowed...)
}
