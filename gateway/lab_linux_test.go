package gateway

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"postern/gateway/confine/bubblewrap/cell"
	"postern/gateway/frame"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/upstream"
	"postern/gateway/watchdog"
)

// server is the real tool server, and rogue the one that misbehaves.
var server, rogue built

// built is a program that TestMain built: where it is, and its digest.
type built struct{ path, digest string }

func TestMain(m *testing.M) {
	switch append(os.Args, "")[1] {
	case cell.StageCommand:
		os.Exit(cell.Stage())
	case WatchdogCommand:
		os.Exit(watchdog.Main(os.Args[2:]))
	}
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	if dir := os.Getenv(childBuilt); dir != "" {
		server, rogue = measured(dir, "upstream"), measured(dir, "rogue")
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "gateway")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	server, rogue = build(dir, "upstream"), build(dir, "rogue")
	return m.Run()
}

func build(dir, fixture string) built {
	build := exec.Command("go", "build", "-o", filepath.Join(dir, fixture), "postern/fixtures/"+fixture)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return measured(dir, fixture)
}

func measured(dir, fixture string) built {
	b := built{path: filepath.Join(dir, fixture)}
	content, err := os.ReadFile(b.path)
	if err != nil {
		panic(err)
	}
	digest := sha256.Sum256(content)
	b.digest = hex.EncodeToString(digest[:])
	return b
}

// sink is the far end of the tool server: it hears what tools received.
type sink struct {
	path     string
	listener net.Listener
	dialled  chan struct{} // one for each server that has connected

	mu    sync.Mutex
	texts map[string][]string // by tool
	hold  func()              // where set, called before each acknowledgement
}

func newSink(t testing.TB) *sink {
	t.Helper()
	s := &sink{path: filepath.Join(t.TempDir(), "sink"), dialled: make(chan struct{}, 1<<16), texts: map[string][]string{}}
	var err error
	if s.listener, err = net.Listen("unix", s.path); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.dialled <- struct{}{}
			wg.Go(func() { s.hear(conn) })
		}
	})
	t.Cleanup(func() {
		s.listener.Close()
		wg.Wait()
	})
	return s
}

func (s *sink) hear(conn net.Conn) {
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
		if hold != nil {
			hold()
		}
		conn.Write([]byte{'.'})
	}
}

// heard counts what a tool received, and how much of it was text.
func (s *sink) heard(tool, text string) (calls, texts int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, got := range s.texts[tool] {
		if got == text {
			texts++
		}
	}
	return len(s.texts[tool]), texts
}

const policies = `
@id("permit-approved")
permit (principal == Agent::"agent", action == Action::"call", resource in ToolGroup::"approved");
@id("forbid-retired")
forbid (principal, action, resource in ToolGroup::"retired");
`

const schema = `
entity Agent;
entity ToolGroup;
entity Tool in [ToolGroup];
action "call" appliesTo { principal: Agent, resource: Tool, context: { "sensitivity": Long, "sink": String } };
`

// pins are asked of the server itself: what they are is another test's matter.
func pins(t testing.TB, s *sink) map[string]string {
	t.Helper()
	client, err := upstream.Start(t.Context(), upstream.Server{Path: server.path, SHA256: server.digest, Env: []string{"POSTERN_SINK=" + s.path}, Guard: upstream.Guard{Optional: true, Quiet: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	listed, err := client.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-s.dialled
	return listed
}

func config(t testing.TB, s *sink) Config {
	t.Helper()
	pins := pins(t, s)
	tool := func(name, sink string, response sensitivity.Label) Tool {
		return Tool{Name: name, Sink: sink, Groups: []string{"approved"}, Arguments: []string{"text"}, Response: response, Definition: pins[name]}
	}
	return Config{
		Aliases:   map[string]string{"deliver": "vault_store", "publish": "public_post"},
		Catalogue: []Tool{tool("vault_store", "vault", "internal"), tool("public_post", "public", "public")},
		Policy:    policy.Source{Policies: []byte(policies), Schema: []byte(schema)},
		Lattice:   sensitivity.Lattice{"public", "internal", "confidential", "restricted"},
		Ceilings:  sensitivity.Ceilings{"vault": "restricted", "public": "public", AgentSink: "restricted"},
		Initial:   "confidential",
		Upstream:  upstream.Server{Path: server.path, SHA256: server.digest, Env: []string{"POSTERN_SINK=" + s.path}, Guard: upstream.Guard{Optional: true, Quiet: true}},
		Audit:     filepath.Join(t.TempDir(), "audit.db"),
	}
}

func opened(t testing.TB, c Config) *Gateway {
	t.Helper()
	g, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// asks is a call as the frame decoder hands it over.
func asks(t testing.TB, operation, text string) frame.Call {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	return frame.Call{Operation: operation, Arguments: jsontext.Value(arguments)}
}
