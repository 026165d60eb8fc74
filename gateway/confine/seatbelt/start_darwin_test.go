package seatbelt

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"postern/gateway/guard"
)

// shell runs a line of sh in a sandbox, or outside of any, and tells its output.
func shell(t *testing.T, sandbox *Sandbox, line string) string {
	t.Helper()
	args := []string{"/bin/sh", "-c", line}
	if sandbox != nil {
		args = append([]string{program, "-p", sandbox.text}, args...)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	out, _ := cmd.Output() // what it could do is what it said
	return strings.TrimSpace(string(out))
}

func prepare(t *testing.T, p guard.Profile) *Sandbox {
	t.Helper()
	b, err := Available(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := b.Prepare(t.Context(), Server{Profile: p, Command: []string{"/bin/sh"}})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}

// What the rules mean to the kernel, with the same line outside as a control.
func TestTheKernelKeepsToIt(t *testing.T) {
	dir := house(t, "home/.netrc", "home/.ssh/id", "home/project/x", "keys/y", "home/.zshrc")
	link(t, dir+"/keys", dir+"/home/.aws")
	for _, f := range []string{"/home/.netrc", "/home/.ssh/id", "/home/project/x", "/keys/y"} {
		if err := os.WriteFile(dir+f, []byte("held"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	machine := guard.Machine{OS: "darwin", Home: dir + "/home", Temp: dir + "/temp", State: dir + "/home/state"}
	for _, tier := range []guard.Tier{guard.Standard, guard.Strict} {
		p := derive(t, guard.Request{Tier: tier, Command: []string{"/bin/sh"}, Read: []string{dir + "/home/project"}}, machine)
		s := prepare(t, p)
		for _, c := range []struct{ line, outside, inside string }{
			{"cat " + dir + "/home/.netrc", "held", ""},
			{"cat " + dir + "/home/.ssh/id", "held", ""},
			{"cat " + dir + "/home/project/../.ssh/id", "held", ""},
			{"cat " + dir + "/home/.SSH/id", "", ""},
			{"cat " + dir + "/home/.aws/y", "held", ""},
			{"cat " + dir + "/keys/y", "held", ""},
			{"cat /System/Volumes/Data" + dir + "/home/.netrc", "held", ""},
			{"ln " + dir + "/home/.netrc " + p.Scratch + "/same && cat " + p.Scratch + "/same", "held", ""},
			{"cat " + dir + "/home/project/x", "held", "held"},
			{"echo x >> " + dir + "/home/.zshrc && echo written", "written", ""},
			{"echo x >> " + p.Scratch + "/x && echo written", "written", "written"},
			{"echo x > /dev/null && echo written", "written", "written"},
		} {
			os.Remove(p.Scratch + "/same")
			if got := shell(t, s, c.line); got != c.inside {
				t.Errorf("%s: %s: %q", tier, c.line, got)
			}
			os.Remove(p.Scratch + "/same")
			// Whether another spelling is the same file, the file system says.
			if got := shell(t, nil, c.line); got != c.outside && !strings.Contains(c.line, ".SSH") {
				t.Errorf("%s: the control: %s: %q", tier, c.line, got)
			}
		}
	}
}

func TestTheKernelKeepsPortsShut(t *testing.T) {
	dir := house(t, "home/x")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	_, number, _ := net.SplitHostPort(listener.Addr().String())
	line := "nc -z 127.0.0.1 " + number + " 2> /dev/null && echo reached"
	machine := guard.Machine{OS: "darwin", Home: dir + "/home", Temp: dir + "/temp", State: dir + "/home/state"}
	for want, ports := range map[string][]int{"reached": {port}, "": {port ^ 1}} {
		s := prepare(t, derive(t, guard.Request{Tier: guard.Strict, Command: []string{"/bin/sh"}, Ports: ports}, machine))
		if got := shell(t, s, line); got != want {
			t.Errorf("port %d of %v: %q", port, ports, got)
		}
	}
}

// The kernel's compiler accepts each text that is kept.
func TestEachTextIsAccepted(t *testing.T) {
	for name, p := range profiles(t) {
		if err := try(t.Context(), render(t, p), TextRefused); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	unable := (*Unable)(nil)
	if err := try(t.Context(), "(version 1)(allow nothing-of-the-kind)", TextRefused); !errors.As(err, &unable) || unable.Why != TextRefused {
		t.Errorf("the control: %v", err)
	}
}
