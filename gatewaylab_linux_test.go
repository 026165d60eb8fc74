package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	yaml "go.yaml.in/yaml/v3"

	"postern/fixtures/policy"
	"postern/gateway/audit"
	"postern/gateway/confine/bubblewrap"
)

// answerBound is how long a test waits before it calls something hung.
const answerBound = 20 * time.Second

// marker stands for plaintext: it must be where it is released and nowhere else.
const marker = "zq7plaintext"

// toolServer builds the fixture's tool server once.
var toolServer = sync.OnceValues(func() (gatewayServer, error) {
	path := filepath.Join(built, "upstream")
	build := exec.Command("go", "build", "-o", path, "postern/fixtures/upstream")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return gatewayServer{}, err
	}
	content, err := os.ReadFile(path)
	sum := sha256.Sum256(content)
	return gatewayServer{Program: path, SHA256: hex.EncodeToString(sum[:])}, err
})

// toolSink is the far end of a tool server: it hears what tools received.
type toolSink struct {
	path    string
	arrived chan string // each text, before it is acknowledged

	mu    sync.Mutex
	texts map[string][]string // by tool
	hold  func()              // where set, called before each acknowledgement
}

func newToolSink(t *testing.T) *toolSink {
	t.Helper()
	s := &toolSink{path: filepath.Join(t.TempDir(), "sink"), arrived: make(chan string, 1<<12), texts: map[string][]string{}}
	listener, err := net.Listen("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.hear(conn)
		}
	}()
	return s
}

func (s *toolSink) hear(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Tool, Text string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			return
		}
		s.mu.Lock()
		s.texts[line.Tool] = append(s.texts[line.Tool], line.Text)
		hold := s.hold
		s.mu.Unlock()
		s.arrived <- line.Text
		if hold != nil {
			hold()
		}
		conn.Write([]byte{'.'})
	}
}

// heard counts the calls that a tool received.
func (s *toolSink) heard(tool string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.texts[tool])
}

// gatewayLab is a configuration, and the sink of its one tool server.
type gatewayLab struct {
	gatewayFile
	sink  *toolSink
	state string // where the guard keeps what it does

	env    []string // more of the gateway's
	around []string // a command that runs it, if not it itself
}

// newGatewayLab has the fixture's tools as deliver and publish, an agent that holds
// confidential data, and a tool server that echoes.
func newGatewayLab(t *testing.T) *gatewayLab {
	t.Helper()
	server, err := toolServer()
	if err != nil {
		t.Fatal(err)
	}
	needBubblewrap(t)
	lab := &gatewayLab{sink: newToolSink(t), state: t.TempDir()}
	server.Env = map[string]string{"POSTERN_SINK": lab.sink.path, "POSTERN_MODE": "echo"}
	server.Write = []string{filepath.Dir(lab.sink.path)}
	lab.dir = t.TempDir()
	reference := policy.Reference()
	write(t, filepath.Join(lab.dir, "policies.cedar"), reference.Policy.Policies)
	write(t, filepath.Join(lab.dir, "schema"), reference.Policy.Schema)
	lab.gatewayFile = gatewayFile{
		dir: lab.dir, Audit: "audit.sqlite", Policies: "policies.cedar", Schema: "schema",
		Labels: []string{"public", "internal", "confidential", "restricted"}, Initial: "confidential",
		Ceilings: map[string]string{"vault": "restricted", "public": "public", "agent": "restricted"},
		Servers:  map[string]gatewayServer{"one": server}, Tools: map[string]gatewayTool{},
	}
	for alias, name := range reference.Aliases {
		for _, tool := range reference.Catalogue {
			if tool.Name == name {
				lab.Tools[alias] = gatewayTool{
					Server: "one", Tool: name, Description: "The operator's words.", Sink: tool.Sink, Groups: tool.Groups,
					Arguments: tool.Arguments, Answer: string(tool.Response), Definition: tool.Definition,
				}
			}
		}
	}
	return lab
}

func (lab *gatewayLab) http() *gatewayLab {
	lab.Listen = "127.0.0.1:0"
	return lab
}

// command is a gateway that is yet to start.
func (lab *gatewayLab) command(t *testing.T) *exec.Cmd {
	t.Helper()
	content, err := yaml.Marshal(lab.gatewayFile)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(lab.dir, "gateway.yaml")
	write(t, path, content)
	args := slices.Concat(lab.around, []string{"postern", "gateway", "--config", path})
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(append(os.Environ(), "XDG_STATE_HOME="+lab.state), lab.env...)
	return cmd
}

// audited closes the case: the chain holds, every session has its last row, and
// neither the log nor anything else of the gateway's holds plaintext.
func (lab *gatewayLab) audited(t *testing.T, sessions int) audit.Report {
	t.Helper()
	report, err := audit.Verify(t.Context(), lab.at(lab.Audit))
	if err != nil || report.Unfinished != 0 || report.Sessions != sessions {
		t.Errorf("%+v, %v", report, err)
	}
	content, err := os.ReadFile(lab.at(lab.Audit))
	if err != nil || bytes.Contains(content, []byte(marker)) || !bytes.Contains(content, []byte("vault_store")) {
		t.Errorf("the audit log holds plaintext, or was not looked at: %v", err)
	}
	return report
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// gatewayProcess is a gateway that serves over HTTP.
type gatewayProcess struct {
	cmd   *exec.Cmd
	url   string
	ended chan struct{}

	mu     sync.Mutex
	stderr strings.Builder
}

func (lab *gatewayLab) serve(t *testing.T) *gatewayProcess {
	t.Helper()
	p := &gatewayProcess{cmd: lab.command(t), ended: make(chan struct{})}
	out, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan string, 1)
	go func() {
		defer close(p.ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.mu.Lock()
			p.stderr.WriteString(lines.Text() + "\n")
			p.mu.Unlock()
			if url, ok := strings.CutPrefix(lines.Text(), "postern: serving at "); ok {
				serving <- url
			}
		}
		p.cmd.Wait()
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		if strings.Contains(p.told(), marker) {
			t.Error("the gateway told plaintext on stderr")
		}
	})
	select {
	case p.url = <-serving:
	case <-p.ended:
		t.Fatalf("the gateway did not serve: %s", p.told())
	case <-time.After(answerBound):
		t.Fatal("the gateway neither serves nor ends")
	}
	return p
}

func (p *gatewayProcess) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

// stop tells the gateway to end, and wants it to have ended well.
func (p *gatewayProcess) stop(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(answerBound):
		t.Fatal("the gateway does not end")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != exitOK || !strings.Contains(p.told(), "postern: audit head ") {
		t.Errorf("exit code %d: %s", code, p.told())
	}
}

// toolServersOf are the processes that were given a sink.
func toolServersOf(t *testing.T, s *toolSink) (pids []string) {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(environments) == 0 {
		t.Fatalf("looking at processes: %d, %v", len(environments), err)
	}
	for _, path := range environments {
		if env, err := os.ReadFile(path); err == nil && strings.Contains(string(env), "POSTERN_SINK="+s.path+"\x00") {
			pids = append(pids, filepath.Base(filepath.Dir(path)))
		}
	}
	return pids
}

// eventually waits for what another process brings about.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(answerBound); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came to pass: %s", what)
		}
	}
}

// needBubblewrap ends a test where tool servers cannot be confined, and still
// reach a sink of the host's over a local socket.
func needBubblewrap(t *testing.T) {
	t.Helper()
	if _, err := bubblewrap.Available(t.Context(), bubblewrap.Places); err != nil {
		unable := (*bubblewrap.Unable)(nil)
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") || !errors.As(err, &unable) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}
