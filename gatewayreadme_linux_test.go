package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The policies and the schema of the README decide as it says.
func TestGatewayByTheReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) []byte {
		_, rest, found := strings.Cut(string(readme), "\n```"+language+"\n")
		text, _, closed := strings.Cut(rest, "\n```\n")
		if !found || !closed {
			t.Fatalf("the README has no %s", language)
		}
		return []byte(text + "\n")
	}
	for initial, want := range map[string]string{"internal": marker, "restricted": "denied-policy"} {
		lab := newGatewayLab(t)
		write(t, filepath.Join(lab.dir, "policies.cedar"), block("cedar"))
		write(t, filepath.Join(lab.dir, "schema"), block("cedarschema"))
		lab.Initial, lab.Ceilings["public"] = initial, "restricted" // the ceiling alone would deny it
		answers, told, code := lab.over(t, helloMessage, callMessage(2, "deliver", marker), callMessage(3, "publish", marker), "")
		slices.Sort(answers)
		if code != exitOK || len(answers) != 2 || answers[0] != released || !strings.Contains(answers[1], want) {
			t.Errorf("%s: exit code %d, %q: %s", initial, code, answers, told)
		}
	}
}

// An audit log is one chain, and has one writer.
func TestGatewayIsTheOnlyWriterOfItsLog(t *testing.T) {
	lab := newGatewayLab(t).http()
	p := lab.serve(t)
	lab.Listen = "" // the second one's client is over stdio
	answers, told, code := lab.over(t, helloMessage, "")
	if code != exitUsage || len(answers) != 0 || !strings.Contains(told, "another gateway writes this log") || strings.Count(told, "\n") != 1 {
		t.Errorf("exit code %d, %q: %s", code, answers, told)
	}
	session := begin(t, p.url, nil)
	if _, text, err := try(t, p.url, session, callMessage(1, "deliver", marker), nil); err != nil || !strings.Contains(text, marker) {
		t.Errorf("the first one answers %q, %v", text, err)
	}
}

// Who has a session's key can tell what a client called and was answered.
func TestGatewayCallsAreOpened(t *testing.T) {
	lab := newGatewayLab(t)
	lab.AuditKeys = "keys"
	line := callMessage(2, "deliver", marker)
	if answers, told, code := lab.over(t, helloMessage, line, ""); code != exitOK || len(answers) != 1 || answers[0] != released {
		t.Fatalf("exit code %d, %q: %s", code, answers, told)
	}
	keys, err := filepath.Glob(filepath.Join(lab.dir, "keys", "*"))
	if err != nil || len(keys) != 1 {
		t.Fatalf("%q, %v", keys, err)
	}
	for payload, want := range map[string]int{
		line: exitOK, marker: exitOK, strings.Replace(line, ",", ", ", 1) + "\n": exitOK,
		callMessage(2, "publish", marker): exitFindings, callMessage(2, "deliver", "another"): exitFindings, "{}": exitFindings,
	} {
		file := filepath.Join(t.TempDir(), "payload")
		write(t, file, []byte(payload))
		cmd := exec.Command("postern", "audit", "open", lab.at(lab.Audit), "--key", keys[0], "--payload", file)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != want {
			t.Errorf("%s: exit code %d, want %d: %s", payload, cmd.ProcessState.ExitCode(), want, out)
		}
	}
}
