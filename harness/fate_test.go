package harness

import (
	"errors"
	"fmt"
	"testing"

	"github.com/docker/docker/client"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine/docker"
	"postern/mutants"
	"postern/reports"
)

// Only what was seen to become of a change makes its mutant not applicable.
func TestFateMustBeSeen(t *testing.T) {
	api, err := client.NewClientWithOpts(client.WithHost("unix:///nowhere"), client.WithVersion("1.41"))
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	refused := fmt.Errorf("starting: %w", docker.ErrRefused)
	broke := errors.New("broke")
	refuses := mutants.Unless{Fate: mutants.EngineRefuses}
	for name, tt := range map[string]struct {
		unless mutants.Unless
		result gateway.Result
		err    error
		unable bool
	}{
		"refused at the start":                 {refuses, gateway.Result{}, refused, true},
		"refused at the creation":              {refuses, gateway.Result{Outcome: bridge.EngineRefused}, nil, true},
		"made all the same":                    {refuses, gateway.Result{Outcome: bridge.Completed}, nil, false},
		"broken otherwise":                     {refuses, gateway.Result{}, broke, false},
		"refused, and nobody said so":          {mutants.Unless{}, gateway.Result{}, refused, false},
		"refused, by too new an Engine":        {mutants.Unless{Fate: mutants.EngineRefuses, Since: "1.41"}, gateway.Result{}, refused, false},
		"refused, by an older Engine":          {mutants.Unless{Fate: mutants.EngineRefuses, Since: "1.42"}, gateway.Result{}, refused, true},
		"another fate than was said":           {mutants.Unless{Fate: mutants.EngineDrops}, gateway.Result{}, refused, false},
		"kept by the client, and none answers": {mutants.Unless{Fate: mutants.ClientKeeps}, gateway.Result{}, broke, false},
		"no plan, and no container":            {mutants.Unless{Fate: mutants.AgentEnds}, gateway.Result{}, broke, false},
	} {
		trial := &trial{lab: &lab{}, api: api, spec: Spec{Unless: tt.unless}}
		err := trial.fated(t.Context(), tt.result, tt.err)
		var u *unable
		if errors.As(err, &u) != tt.unable || !tt.unable && !errors.Is(err, tt.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatWasAskedMustBeInTheAccount(t *testing.T) {
	const account = `{"Config":{"Cmd":["a","b"],"Healthcheck":{"Test":["NONE"]}},"HostConfig":{"CpuPercent":0,"Mounts":[{"Type":"bind","ReadOnly":true}]},
		"NetworkSettings":{"Networks":{"none":{"Links":["x:y"]}}}}`
	for name, tt := range map[string]struct {
		path, value string
		there       bool
	}{
		"a list":                {"Config.Cmd", `["b"]`, true},
		"another word":          {"Config.Cmd", `["c"]`, false},
		"a number":              {"HostConfig.CpuPercent", `1`, false},
		"a field that is not":   {"HostConfig.Annotations", `{"a":"b"}`, false},
		"a part of an object":   {"Config.Healthcheck", `{"Test":["NONE"],"Interval":1}`, false},
		"an object in a list":   {"HostConfig.Mounts", `[{"Type":"bind"}]`, true},
		"an option in a list":   {"HostConfig.Mounts", `[{"Type":"bind","BindOptions":{"NonRecursive":true}}]`, false},
		"a network":             {"NetworkingConfig.EndpointsConfig", `{"none":{"Links":["x:y"]}}`, true},
		"a word for a network":  {"NetworkingConfig.EndpointsConfig", `{"none":{"GwPriority":5}}`, false},
		"a path through a list": {"Config.Cmd.x", `"a"`, false},
	} {
		if got, err := arrived(map[string]string{tt.path: tt.value}, []byte(account)); err != nil || got != tt.there {
			t.Errorf("%s: %t %v", name, got, err)
		}
	}
	if _, err := arrived(nil, []byte("{")); err == nil {
		t.Error("half an account is an account")
	}
}

// A container that was changed must be found for what was done to it.
func TestAFailureModeIsRefusedForItsControls(t *testing.T) {
	row := killedRow()
	row.Kind, row.Expected.Opens, row.Observations = reports.FailureMode, nil, nil
	row.Expected.Refused = []string{"profile.network-none"}
	if got := judge(row); got.Verdict != reports.Contained {
		t.Errorf("%s %v", got.Verdict, got.Reasons)
	}
	for _, other := range [][]reports.Refusal{nil, {{Stage: "ended", Control: "profile.exec-none"}}} {
		row.Refused = other
		if got := judge(row); got.Verdict != reports.Inconclusive || len(got.Reasons) != 1 {
			t.Errorf("refused for %v: %s %v", other, got.Verdict, got.Reasons)
		}
	}
}
