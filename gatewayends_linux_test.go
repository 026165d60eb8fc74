package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A tool server that is killed takes its own tools with it, and nothing else. It is
// not started again: a server that an agent can crash must not forget for it.
func TestGatewayOutlivesAToolServerThatIsKilled(t *testing.T) {
	lab, far := twoServers(t)
	p := lab.serve(t)
	session := begin(t, p.url, nil)
	pids := toolServersOf(t, lab.sink)
	if len(pids) != 1 {
		t.Fatalf("%d tool servers", len(pids))
	}
	pid, err := strconv.Atoi(pids[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of the tool server", func() bool { return len(toolServersOf(t, lab.sink)) == 0 })
	for _, c := range []struct{ tool, answer string }{
		{"deliver", "upstream-failed"}, {"deliver", "upstream-failed"}, {"publish", "denied-ceiling"}, {"far", marker},
	} {
		_, text := ask(t, p.url, session, callMessage(1, c.tool, marker), nil)
		if got, failed := said(t, text); got != c.answer || failed != (c.answer != marker) {
			t.Errorf("%s answers %q", c.tool, got)
		}
	}
	if n := strings.Count(p.told(), "a call failed at its tool server"); n != 1 {
		t.Errorf("the operator was told %d times: %s", n, p.told())
	}
	if far.heard("vault_store") != 1 || lab.sink.heard("vault_store") != 0 {
		t.Error("a call went where it should not")
	}
	p.stop(t, syscall.SIGTERM)
	lab.audited(t, 2)
}

// What one server's tool answers counts for calls of the other's.
func TestGatewayHasOneLabelForAllServers(t *testing.T) {
	lab, far := twoServers(t)
	lab.Initial = "public" // the vaults answer at "internal"
	p := lab.serve(t)
	session := begin(t, p.url, nil)
	for _, c := range []struct{ tool, answer string }{{"publish", marker}, {"far", marker}, {"publish", "denied-ceiling"}} {
		_, text := ask(t, p.url, session, callMessage(1, c.tool, marker), nil)
		if got, _ := said(t, text); got != c.answer {
			t.Errorf("%s answers %q", c.tool, got)
		}
	}
	if far.heard("vault_store") != 1 || lab.sink.heard("public_post") != 1 {
		t.Error("a call went where it should not")
	}
	p.stop(t, syscall.SIGTERM)
	lab.audited(t, 2)
}

// twoServers has a second vault, with a sink of its own.
func twoServers(t *testing.T) (*gatewayLab, *toolSink) {
	t.Helper()
	lab, far := newGatewayLab(t).http(), newToolSink(t)
	two := lab.Servers["one"]
	two.Env = map[string]string{"POSTERN_SINK": far.path, "POSTERN_MODE": "echo"}
	two.Write = []string{filepath.Dir(far.path)}
	lab.Servers["two"] = two
	vault := lab.Tools["deliver"]
	vault.Server = "two"
	lab.Tools["far"] = vault
	return lab, far
}

// Told to end with a call at its tool, the gateway answers it, ends the tool
// server, and has every row.
func TestGatewayEndsCleanly(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			lab := newGatewayLab(t).http()
			released := make(chan struct{})
			lab.sink.hold = func() { <-released }
			defer close(released)
			p := lab.serve(t)
			session := begin(t, p.url, nil)
			answered := make(chan string, 1)
			go func() {
				_, text, err := try(t, p.url, session, callMessage(1, "deliver", marker), nil)
				if err != nil {
					t.Error(err)
				}
				answered <- text
			}()
			<-lab.sink.arrived
			p.stop(t, s)
			if got, failed := said(t, <-answered); got != "upstream-failed" || !failed {
				t.Errorf("answers %q", got)
			}
			// The kernel ends what is in a sandbox after its first process, on its own time.
			eventually(t, "the tool server is gone", func() bool { return len(toolServersOf(t, lab.sink)) == 0 })
			if got := lab.audited(t, 1); got.Rows != 3 {
				t.Errorf("%d rows", got.Rows)
			}
		})
	}
}

// A gateway that was killed takes its tool server with it.
func TestGatewayThatIsKilledLeavesNoToolServer(t *testing.T) {
	lab := newGatewayLab(t).http()
	p := lab.serve(t)
	if len(toolServersOf(t, lab.sink)) != 1 {
		t.Fatal("there is no tool server: the case proves nothing")
	}
	p.cmd.Process.Kill()
	eventually(t, "the end of the tool server", func() bool { return len(toolServersOf(t, lab.sink)) == 0 })
}
