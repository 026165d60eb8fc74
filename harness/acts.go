package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docker/docker/api/types/container"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/mutants"
	"postern/observers"
	"postern/observers/canary"
)

// What a user of the Engine does to an admitted container, in the trials that
// show that the comparison at the end finds it. Nothing of the subject is weak.
const (
	needIdle    mutants.Need = "engine-user-idle"    // a process that does nothing
	needRestart mutants.Need = "engine-user-restart" // another restart policy
)

// act is done by a user of the Engine, who is not the gateway: for a mutant
// once the container was admitted the second time and before there is plaintext,
// and in a failure mode once the agent has tried everything.
type act func(ctx context.Context, t *trial, id string) error

func acts() map[mutants.Need]act {
	update := func(u container.UpdateConfig) act {
		return func(ctx context.Context, t *trial, id string) error {
			_, err := t.api.ContainerUpdate(ctx, id, u)
			return err
		}
	}
	many := int64(400)
	much := int64(512 << 20)
	return map[mutants.Need]act{
		mutants.NeedPause:      pause,
		needIdle:               runBeside,
		mutants.NeedMoreMemory: update(container.UpdateConfig{Resources: container.Resources{Memory: much, MemorySwap: much}}),
		mutants.NeedMorePids:   update(container.UpdateConfig{Resources: container.Resources{PidsLimit: &many}}),
		needRestart:            update(container.UpdateConfig{RestartPolicy: container.RestartPolicy{Name: container.RestartPolicyOnFailure}}),
	}
}

func pause(ctx context.Context, t *trial, id string) error {
	if err := t.api.ContainerPause(ctx, id); err != nil {
		return err
	}
	return t.api.ContainerUnpause(ctx, id)
}

// runBeside runs the agent's program with nothing to read, so that it ends.
func runBeside(ctx context.Context, t *trial, id string) error {
	made, err := t.api.ContainerExecCreate(ctx, id, container.ExecOptions{Cmd: []string{fixtures.AgentPath, "idle"}})
	if err != nil {
		return err
	}
	return t.api.ContainerExecStart(ctx, made.ID, container.ExecStartOptions{Detach: true})
}

// act does what the trial needs done to its container.
func (t *trial) act(ctx context.Context, id string) error {
	for _, need := range t.spec.Needs {
		if do, ok := acts()[need]; ok {
			if err := do(ctx, t, id); err != nil {
				return fmt.Errorf("doing %s to the container: %w", need, errors.New("the Engine would not"))
			}
		}
	}
	return nil
}

// requestFurniture is what the mutants of the request need beside them. The
// acts come later.
func requestFurniture() map[mutants.Need]piece {
	all := map[mutants.Need]piece{
		mutants.NeedShellImage: variant(fixtures.Variant{Shell: []string{fixtures.AgentPath}}, func(s *mutants.Site) *string { return &s.ShellImage }),
		mutants.NeedBlock:      findBlock,
		mutants.NeedHostMounts: func(context.Context, *trial) (func() error, error) {
			return nil, &unable{"no-request-for-it"} // docker.Fields has none
		},
	}
	for need := range acts() {
		all[need] = func(context.Context, *trial) (func() error, error) { return nothingToTake, nil }
	}
	return all
}

// findBlock names a block device of the host's. It is only named: what is asked
// of it limits how fast the container may use it.
func findBlock(_ context.Context, t *trial) (func() error, error) {
	sizes, err := filepath.Glob("/sys/block/*/size")
	if err != nil {
		return nil, err
	}
	for _, size := range sizes {
		text, err := os.ReadFile(size)
		node := "/dev/" + filepath.Base(filepath.Dir(size))
		if _, there := os.Stat(node); err == nil && there == nil && strings.TrimSpace(string(text)) != "0" {
			t.site.Block = node
			return func() error { return nil }, nil
		}
	}
	return nil, &unable{"no-block-device"}
}

// beside starts the observer that is itself a user of the Engine, in the trials
// about that alone.
func (o *opening) beside() {
	if o.ordinary() && slices.Contains(o.trial.canaries.more, channel.EngineExec) {
		enter(o, channel.SinkExec, func(w *canary.Watch, p observers.Pilots) (*observers.Exec, error) {
			return observers.NewExec(o.trial.api, w, p), nil
		})
	}
}

// interfered lists the failure modes of a container that is changed after its
// admission: contained, and the session does not count as completed.
func (p Plan) interfered() []Spec {
	spec := func(name, why string, need mutants.Need, refused ...confine.Control) Spec {
		s := p.failure(name, why)
		s.Needs, s.Refused = []mutants.Need{need}, refused
		s.Mode = plan.ModeNormal
		s.Expect.Outcome = string(bridge.ProfileChanged)
		return s
	}
	return []Spec{
		spec("exec-beside", "a process is run beside the agent", needIdle, confine.ExecNone),
		spec("pause", "the container is paused and goes on", mutants.NeedPause, confine.Unchanged),
		spec("update-pids", "more processes are allowed while the agent runs", mutants.NeedMorePids, confine.PidsLimit, confine.Unchanged),
		spec("update-memory", "more memory is allowed while the agent runs", mutants.NeedMoreMemory, confine.MemoryLimit, confine.Unchanged),
		spec("update-restart", "the container is to be started again if it fails", needRestart, confine.RestartNone, confine.Unchanged),
	}
}
