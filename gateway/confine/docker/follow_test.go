package docker

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"postern/gateway/confine"

	"github.com/docker/docker/api/types/container"
)

// ended is what becomes of a container of the reference to which something is
// done while it runs.
func ended(t *testing.T, e *Engine, img string, do func(id string) error) (account []byte, refusals []confine.Refusal) {
	t.Helper()
	id := created(t, e, img, confine.Reference())
	life, err := e.Follow(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer life.Close()
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := do(id); err != nil {
		t.Fatal(err)
	}
	if err := e.Kill(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	bound, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	actions, err := life.End(bound)
	if err != nil {
		t.Fatal(err)
	}
	account = inspected(t, e, id)
	return account, AdmitEnded(confine.Reference(), img, account, actions)
}

func TestEnded(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	update := func(u container.UpdateConfig) func(string) error {
		return func(id string) error {
			_, err := e.api.ContainerUpdate(t.Context(), id, u)
			return err
		}
	}
	exec := func(id string) error {
		x, err := e.api.ContainerExecCreate(t.Context(), id, container.ExecOptions{Cmd: []string{"/agent"}})
		if err != nil {
			return err
		}
		return e.api.ContainerExecStart(t.Context(), x.ID, container.ExecStartOptions{Detach: true})
	}
	many := int64(400)
	for _, c := range []struct {
		name string
		do   func(id string) error
		want []confine.Control
	}{
		{"nothing", func(string) error { return nil }, nil},
		{"looked at", func(id string) error { _, err := e.api.ContainerTop(t.Context(), id, nil); return err }, nil},
		{"more memory", update(container.UpdateConfig{Resources: container.Resources{Memory: 512 << 20, MemorySwap: 512 << 20}}), []confine.Control{confine.MemoryLimit, confine.Unchanged}},
		{"more processes", update(container.UpdateConfig{Resources: container.Resources{PidsLimit: &many}}), []confine.Control{confine.PidsLimit, confine.Unchanged}},
		{"CPU shares", update(container.UpdateConfig{Resources: container.Resources{CPUShares: 512}}), []confine.Control{confine.CPUExact, confine.Unchanged}},
		{"a restart policy", update(container.UpdateConfig{RestartPolicy: container.RestartPolicy{Name: "unless-stopped"}}), []confine.Control{confine.RestartNone, confine.Unchanged}},
		{"changed and changed back", func(id string) error {
			few := int64(32)
			if err := update(container.UpdateConfig{Resources: container.Resources{PidsLimit: &many}})(id); err != nil {
				return err
			}
			return update(container.UpdateConfig{Resources: container.Resources{PidsLimit: &few}})(id)
		}, []confine.Control{confine.Unchanged}},
		{"a process", exec, []confine.Control{confine.ExecNone}},
		{"paused and let go", func(id string) error {
			if err := e.api.ContainerPause(t.Context(), id); err != nil {
				return err
			}
			return e.api.ContainerUnpause(t.Context(), id)
		}, []confine.Control{confine.Unchanged}},
		{"another name", func(id string) error { return e.api.ContainerRename(t.Context(), id, "postern-"+id[:12]) }, []confine.Control{confine.Unchanged}},
		{"started again", func(id string) error {
			now := 0
			return e.api.ContainerRestart(t.Context(), id, container.StopOptions{Timeout: &now})
		}, []confine.Control{confine.RestartNone}},
	} {
		t.Run(c.name, func(t *testing.T) {
			account, got := ended(t, e, img, c.do)
			if !slices.Equal(got, confine.Refuse(confine.StageEnded, c.want)) {
				t.Errorf("refused for %v, want %v", got, c.want)
			}
			if c.name == "nothing" && *record {
				save(t, "ended.json", account)
			}
		})
	}
}

func TestAdmitEndedRecorded(t *testing.T) {
	lived := []string{"create", "attach", "start", "kill", "die"}
	raw := recorded(t, "ended.json")
	judge := func(raw []byte, actions ...string) []confine.Control {
		return controls(AdmitEnded(confine.Reference(), testImage(), raw, actions))
	}
	if got := judge(raw, lived...); got != nil {
		t.Errorf("refused for %v", got)
	}
	if got := judge(raw, append(slices.Clone(lived), "detach")...); got != nil {
		t.Errorf("who was attached until its end: refused for %v", got)
	}
	if got := controls(admit(raw)); !slices.Contains(got, confine.Unrecognised) {
		t.Errorf("before the agent's plaintext it is refused for %v", got)
	}
	oom := bytes.Replace(raw, []byte(`"OOMKilled": false`), []byte(`"OOMKilled": true`), 1)
	if got := judge(oom, append([]string{"oom"}, lived...)...); got != nil {
		t.Errorf("a session that ran out of memory: %v", got)
	}
	for _, status := range []string{"removing", "dead"} { // and by then the account has no root file system
		apart := bytes.Replace(raw, []byte(`"Status": "exited"`), []byte(`"Status": "`+status+`"`), 1)
		apart = bytes.Replace(apart, []byte(`"GraphDriver"`), []byte(`"Nothing"`), 1)
		if got := judge(apart, lived...); !slices.Equal(got, []confine.Control{confine.AutoremoveOff}) {
			t.Errorf("while the Engine is %s it: refused for %v", status, got)
		}
	}
	for action, want := range map[string]confine.Control{
		"start": confine.RestartNone, "die": confine.RestartNone, "restart": confine.RestartNone, "destroy": confine.AutoremoveOff,
		"health_status": confine.HealthcheckNone, "exec_create": confine.ExecNone, "exec_start": confine.ExecNone, "exec_die": confine.ExecNone,
		"update": confine.Unchanged, "pause": confine.Unchanged, "unpause": confine.Unchanged, "rename": confine.Unchanged,
		"commit": confine.Unchanged, "novelty": confine.Unchanged, "": confine.Unchanged,
	} {
		if got := judge(raw, append(slices.Clone(lived), action)...); !slices.Equal(got, []confine.Control{want}) {
			t.Errorf("%q: refused for %v, want %s", action, got, want)
		}
	}
	for _, missing := range [][]string{nil, {"create", "start"}, {"create", "die"}} {
		if got := judge(raw, missing...); !slices.Equal(got, []confine.Control{confine.Unchanged}) {
			t.Errorf("of a life of %v: refused for %v", missing, got)
		}
	}
	for _, name := range accounts() {
		if judge(recorded(t, name), lived...) == nil {
			t.Errorf("%s is admitted as one that has ended", name)
		}
	}
}

// Every other value but those that differ from container to container.
func TestAdmitEndedRefusesEveryOtherValue(t *testing.T) {
	lived := []string{"create", "start", "die"}
	root := tree(t, recorded(t, "ended.json"))
	visit("", root, func(path string, parent map[string]any, key string) {
		was := parent[key]
		for _, v := range others(was) {
			if same(v, was) || tolerated(path, v) || ofTheEnd(path, v) {
				continue
			}
			parent[key] = v
			if AdmitEnded(confine.Reference(), testImage(), encode(t, root), lived) == nil {
				t.Errorf("%s = %s is admitted", path, mustJSON(v))
			}
		}
		parent[key] = was
	})
}

func ofTheEnd(path string, v any) bool {
	switch path {
	case "State.ExitCode":
		s := string(mustJSON(v))
		return s == "0" || s == "1" || s == "1370"
	case "State.OOMKilled":
		return v == true
	case "NetworkSettings.SandboxID", "NetworkSettings.SandboxKey", "NetworkSettings.Networks.none.EndpointID", "NetworkSettings.Networks.none.NetworkID":
		return v == ""
	}
	return false
}
