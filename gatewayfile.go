package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"

	"postern/gateway"
	"postern/gateway/mcpserver"
)

// gatewayFile is the configuration of postern gateway as its author wrote it. The
// keys are permanent.
type gatewayFile struct {
	Listen    string                   `yaml:"listen"`
	TokenFile string                   `yaml:"token-file"`
	Hosts     []string                 `yaml:"hosts"`
	Origins   []string                 `yaml:"origins"`
	Limits    gatewayLimits            `yaml:"limits"`
	Audit     string                   `yaml:"audit"`
	AuditKeys string                   `yaml:"audit-keys"`
	Telemetry gatewayTelemetry         `yaml:"telemetry"`
	Policies  string                   `yaml:"policies"`
	Schema    string                   `yaml:"schema"`
	Labels    []string                 `yaml:"labels"`
	Initial   string                   `yaml:"initial"`
	Ceilings  map[string]string        `yaml:"ceilings"`
	Servers   map[string]gatewayServer `yaml:"servers"`
	Tools     map[string]gatewayTool   `yaml:"tools"`

	path string // of the file itself
	dir  string // that it is in: what other paths are relative to
}

type gatewayLimits struct {
	Message  int           `yaml:"message"`
	Sessions int           `yaml:"sessions"`
	Idle     time.Duration `yaml:"idle"`
	Call     time.Duration `yaml:"call"`
}

// gatewayTelemetry says where spans and lines of calls go; nowhere where empty.
type gatewayTelemetry struct {
	Collector string `yaml:"collector"`
	Log       string `yaml:"log"`
}

type gatewayServer struct {
	Program string            `yaml:"program"`
	SHA256  string            `yaml:"sha256"`
	Args    []string          `yaml:"args"`
	Env     map[string]string `yaml:"env"`

	gatewayConfinement `yaml:",inline"`
}

type gatewayTool struct {
	Server      string   `yaml:"server"`
	Tool        string   `yaml:"tool"`
	Description string   `yaml:"description"`
	Sink        string   `yaml:"sink"`
	Groups      []string `yaml:"groups"`
	Arguments   []string `yaml:"arguments"`
	Answer      string   `yaml:"answer"`
	Definition  string   `yaml:"definition"`
}

const seeHelp = "see postern gateway --help for an example"

// maxGatewayFile bounds what is read as a configuration, a policy or a token.
const maxGatewayFile = 4 << 20

func readGatewayFile(path string) (f gatewayFile, err error) {
	if path == "" {
		return f, errors.New("--config is missing: a file that says what the gateway lets through; " + seeHelp)
	}
	content, err := readBounded(path)
	if err != nil {
		return f, fmt.Errorf("--config: %w", err)
	}
	d := yaml.NewDecoder(bytes.NewReader(content))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		return f, fmt.Errorf("--config: %s", misread(err))
	}
	switch err := d.Decode(new(yaml.Node)); {
	case err == nil:
		return f, errors.New("--config: there is a second document behind the first; give one")
	case !errors.Is(err, io.EOF):
		return f, fmt.Errorf("--config: %s", misread(err))
	}
	if f.path, err = filepath.Abs(path); err != nil {
		return f, fmt.Errorf("--config: %w", err)
	}
	f.dir = filepath.Dir(f.path)
	return f, f.check()
}

var (
	unknownKey = regexp.MustCompile(`line (\d+): field (\S+) not found`)
	twiceKey   = regexp.MustCompile(`line (\d+): mapping key .* already defined`)
	atLine     = regexp.MustCompile(`line (\d+): `)
)

// misread says in a line what the parser did not like, without what it quotes
// of values.
func misread(err error) string {
	text := err.Error()
	if errors.Is(err, io.EOF) {
		return "the file is empty; " + seeHelp
	}
	if m := unknownKey.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("line %s: there is no key %q; %s", m[1], m[2], seeHelp)
	}
	if m := twiceKey.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("line %s: a key stands there twice; leave one", m[1])
	}
	m := atLine.FindStringSubmatch(text)
	switch {
	case m != nil && strings.Contains(text, "cannot unmarshal"):
		return fmt.Sprintf("line %s: the value has another form than this key's; %s", m[1], seeHelp)
	case m != nil:
		return fmt.Sprintf("line %s: this is neither YAML nor JSON", m[1])
	}
	return "this is neither YAML nor JSON"
}

// check names the first thing that is missing or wrong here; how things fit
// together is the gateway's own to say.
func (f gatewayFile) check() error {
	for _, needed := range []struct {
		key   string
		there bool
	}{
		{"audit", f.Audit != ""},
		{"policies", f.Policies != ""},
		{"schema", f.Schema != ""},
		{"labels", len(f.Labels) > 0},
		{"initial", f.Initial != ""},
		{"servers", len(f.Servers) > 0},
		{"tools", len(f.Tools) > 0},
	} {
		if !needed.there {
			return fmt.Errorf("--config: %q is missing; %s", needed.key, seeHelp)
		}
	}
	if err := f.checkLabels(); err != nil {
		return err
	}
	for _, name := range sortedKeys(f.Servers) {
		switch s := f.Servers[name]; {
		case s.Program == "":
			return fmt.Errorf("--config: server %q has no program", name)
		case !digest.MatchString(s.SHA256):
			return fmt.Errorf("--config: server %q needs the sha256 of its program: 64 lower-case digits, as sha256sum prints them", name)
		default:
			if err := s.check(); err != nil {
				return fmt.Errorf("--config: server %q: %w", name, err)
			}
		}
	}
	for _, alias := range sortedKeys(f.Tools) {
		if err := f.Tools[alias].check(alias, f); err != nil {
			return err
		}
	}
	if f.Listen == "" && (f.TokenFile != "" || len(f.Hosts)+len(f.Origins) > 0) {
		return errors.New(`--config: "token-file", "hosts" and "origins" are for HTTP: give "listen" too, such as 127.0.0.1:8931`)
	}
	if err := f.Telemetry.check(); err != nil {
		return err
	}
	if err := mcpserver.Limits(f.Limits).Validate(); err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	return nil
}

// check wants a collector on this machine: spans are not encrypted.
func (t gatewayTelemetry) check() error {
	if t.Collector == "" {
		return nil
	}
	to, err := netip.ParseAddrPort(t.Collector)
	if err != nil || !to.Addr().IsLoopback() || to.Port() == 0 {
		return errors.New(`--config: telemetry: "collector" must be a loopback address and a port, such as 127.0.0.1:4318, where something takes OTLP over HTTP`)
	}
	return nil
}

func (f gatewayFile) checkLabels() error {
	if !slices.Contains(f.Labels, f.Initial) {
		return fmt.Errorf(`--config: "initial" is %q, which is none of "labels"`, f.Initial)
	}
	if _, there := f.Ceilings[gateway.AgentSink]; !there {
		return fmt.Errorf(`--config: "ceilings" has no %q: up to which label answers go to it`, gateway.AgentSink)
	}
	for _, sink := range sortedKeys(f.Ceilings) {
		if !slices.Contains(f.Labels, f.Ceilings[sink]) {
			return fmt.Errorf(`--config: the ceiling of %q is %q, which is none of "labels"`, sink, f.Ceilings[sink])
		}
	}
	return nil
}

var (
	digest = regexp.MustCompile(`^[0-9a-f]{64}$`)
	alias  = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
)

func (t gatewayTool) check(name string, f gatewayFile) error {
	_, known := f.Servers[t.Server]
	switch {
	case !alias.MatchString(name):
		return errors.New("--config: the name of a tool must be 1 to 64 of a-z, A-Z, 0-9, '_', '.' and '-'")
	case !known:
		return fmt.Errorf(`--config: tool %q names a server that is none of "servers"`, name)
	case t.Tool == "" || t.Sink == "":
		return fmt.Errorf(`--config: tool %q needs "tool", its name at the server, and "sink", where its arguments end`, name)
	case f.Ceilings[t.Sink] == "":
		return fmt.Errorf(`--config: the sink of tool %q has no ceiling: add it to "ceilings"`, name)
	case !slices.Contains(f.Labels, t.Answer):
		return fmt.Errorf(`--config: tool %q needs "answer", the label of what it answers: one of "labels"`, name)
	case t.Definition != "" && !digest.MatchString(t.Definition):
		return fmt.Errorf("--config: the definition of tool %q must be the digest that postern gateway --pins prints", name)
	}
	return nil
}

// at is a path of the file's, which may be relative to it.
func (f gatewayFile) at(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.dir, path)
}

// token reads the bearer token. A file that others may read is refused: whoever
// has the token is the agent.
func (f gatewayFile) token() (string, error) {
	if f.TokenFile == "" {
		return "", nil
	}
	path := f.at(f.TokenFile)
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("--config: token-file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("--config: token-file: others may read it; chmod 600 %s", path)
	}
	content, err := readBounded(path)
	if err != nil {
		return "", fmt.Errorf("--config: token-file: %w", err)
	}
	token := strings.TrimSpace(string(content))
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("--config: token-file: it must hold one line of visible ASCII; make one with: openssl rand -hex 32")
	}
	return token, nil
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxGatewayFile+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxGatewayFile {
		return nil, fmt.Errorf("%s is longer than 4 MiB", path)
	}
	return content, nil
}
