package landlock

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
	"postern/gateway/guard"
)

// Sandbox is what one server will run in, as the machine was when it was asked for.
type Sandbox struct {
	server Server
	order  order
}

// order is what a process is told that becomes a server.
type order struct {
	Steps   []tree.Step
	Network guard.Network
	Program string // what is run, with the command's arguments
	Command []string
	Env     []string
	Weak    Weakness
}

// Prepare says by which rules a server runs. Where the profile cannot be kept to,
// the error is an *Unable.
func (b Backend) Prepare(s Server) (*Sandbox, error) {
	if _, err := Available(b.kernel); err != nil {
		return nil, err
	}
	if s.Profile.Network == guard.NetLoopback {
		return nil, &Unable{PortsAnywhere}
	}
	program := s.Command[0]
	if s.Image != nil {
		program = "" // nothing of it is read
	}
	steps, why, err := tree.Of(s.Profile, program, false)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, &Unable{Why(why)}
	}
	o := order{steps, s.Profile.Network, s.Command[0], s.Command, s.Env, s.Weak}
	if slices.ContainsFunc(steps, func(s tree.Step) bool { return s.Does == tree.GiveEmpty }) {
		temp := path.Join(s.Profile.Scratch, "tmp") // has no rule of its own: the server may have made it a link
		if os.MkdirAll(temp, 0o700) != nil {
			return nil, &Unable{Why(tree.ScratchMissing)}
		}
		o.Env = slices.DeleteFunc(slices.Clone(o.Env), func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") })
		o.Env = append(o.Env, "TMPDIR="+temp)
	}
	return &Sandbox{s, o}, nil
}

// Become makes this process the server. It returns only where it fails.
func (x *Sandbox) Become() error {
	// No descriptor but the first three is left to the server.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return failed("withholding descriptors", err)
	}
	return x.order.become()
}

// become restricts this process and runs the server in its place. Privileges and
// the filter are a thread's; the one that runs another program is what stays.
func (o order) become() error {
	runtime.LockOSThread()
	if err := renounce(); err != nil {
		return failed("giving up privileges", err)
	}
	if err := config(o.Network, o.Weak).Restrict(rules(o.Steps, o.Weak)...); err != nil {
		return failed("restricting by Landlock", err)
	}
	if !o.Weak.Unfiltered {
		policy, err := filter(o.Network)
		if err != nil {
			return err
		}
		if err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Policy: policy}); err != nil {
			return failed("filtering system calls", err)
		}
	}
	return failed("starting the tool server", syscall.Exec(o.Program, o.Command, o.Env))
}

// renounce gives up every capability, of root too, which no program regains.
func renounce() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) { // the kernel has none of this number, or we may not, and have none
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var nothing [2]unix.CapUserData
	return unix.Capset(&header, &nothing[0])
}

// failed says what was done and the system's number, without the path.
func failed(what string, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("confining by Landlock: %s: %w", what, errno)
	}
	return fmt.Errorf("confining by Landlock: %s", what)
}
