package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// The example of the help is one that is read, closed keys and all.
func TestGatewayExampleIsRead(t *testing.T) {
	_, example, found := strings.Cut(gatewayCommand().Example, "# gateway.yaml")
	if !found {
		t.Fatal("there is no example")
	}
	path := filepath.Join(t.TempDir(), "gateway.yaml")
	write(t, path, []byte(strings.ReplaceAll(example, "\n  ", "\n")))
	f, err := readGatewayFile(path)
	if err != nil || f.Limits.Sessions != 16 || f.Tools["deliver"].Sink != "vault" || f.Listen == "" {
		t.Errorf("%+v, %v", f, err)
	}
}

// JSON is read too, and what --pins prints is what the file needs.
func TestGatewayPins(t *testing.T) {
	lab := newGatewayLab(t)
	want := lab.Tools["deliver"].Definition
	for alias, tool := range lab.Tools {
		tool.Definition = ""
		lab.Tools[alias] = tool
	}
	path := lab.asJSON(t)
	ask := exec.Command("postern", "gateway", "--config", path, "--pins")
	ask.Env = append(os.Environ(), "XDG_STATE_HOME="+lab.state)
	out, err := ask.Output()
	if err != nil || !strings.Contains(string(out), "one     vault_store  "+want+"\n") {
		t.Errorf("%s, %v", out, err)
	}
	unpinned := exec.Command("postern", "gateway", "--config", path)
	unpinned.Env = append(os.Environ(), "XDG_STATE_HOME="+lab.state)
	text, _ := unpinned.CombinedOutput()
	if unpinned.ProcessState.ExitCode() != exitUsage || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), "look at what it claims to do, then at postern gateway --pins") {
		t.Errorf("exit code %d: %s", unpinned.ProcessState.ExitCode(), text)
	}
}

// A program that was swapped is not started.
func TestGatewayRefusesAnotherProgram(t *testing.T) {
	lab := newGatewayLab(t)
	server := lab.Servers["one"]
	server.SHA256 = strings.Repeat("0", 64)
	lab.Servers["one"] = server
	answers, told, code := lab.over(t, helloMessage)
	if code != exitUsage || len(answers) != 0 || !strings.Contains(told, "look why it changed") || strings.Count(told, "\n") != 1 {
		t.Errorf("exit code %d: %s", code, told)
	}
}

func (lab *gatewayLab) asJSON(t *testing.T) string {
	t.Helper()
	text, err := yaml.Marshal(lab.gatewayFile)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	if text, err = json.MarshalIndent(value, "", "\t"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(lab.dir, "gateway.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
