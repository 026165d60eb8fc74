package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docker/docker/api/types/events"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/versions"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine/docker"
	"postern/mutants"
)

// noPlan is the exit status of an agent that got no plan.
const noPlan = "4"

// fated settles what came of a session whose change may have been kept from
// arriving, or the agent from its plan. Only what was seen to come of it makes
// the mutant not applicable: one of which it is said, and that arrived all the
// same, is judged as any other.
func (t *trial) fated(ctx context.Context, r gateway.Result, err error) error {
	seen := false
	switch t.fate() {
	case mutants.EngineRefuses:
		seen = errors.Is(err, docker.ErrRefused) || err == nil && r.Outcome == bridge.EngineRefused
	case mutants.ClientKeeps:
		seen = t.unsent(ctx, r, err)
	case mutants.AgentEnds:
		ended, lookErr := t.endedWithoutPlan(ctx, r.Container)
		if lookErr != nil {
			return errors.Join(err, lookErr)
		}
		seen = ended
	}
	if seen {
		return &unable{string(t.fate())}
	}
	return err
}

// fate is what may become of the trial's change at this Engine.
func (t *trial) fate() mutants.Fate {
	u := t.spec.Unless
	if u.Since != "" && versions.GreaterThanOrEqualTo(t.api.ClientVersion(), u.Since) {
		return ""
	}
	return u.Fate
}

// unsent reports whether nothing was created, and nobody was asked to, at an
// Engine that answers.
func (t *trial) unsent(ctx context.Context, r gateway.Result, err error) bool {
	if err == nil || errors.Is(err, docker.ErrRefused) || r.Container != "" || ctx.Err() != nil {
		return false
	}
	_, err = t.api.Ping(ctx)
	return err == nil
}

// endedWithoutPlan asks the Engine how a container ended that is gone.
func (t *trial) endedWithoutPlan(ctx context.Context, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	told, failed := t.api.Events(ctx, events.ListOptions{
		Since: "1", Until: strconv.FormatInt(time.Now().Unix()+1, 10),
		Filters: filters.NewArgs(filters.Arg("container", id), filters.Arg("event", string(events.ActionDie))),
	})
	for {
		select {
		case m := <-told:
			if m.Actor.ID == id {
				return m.Actor.Attributes["exitCode"] == noPlan, nil
			}
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
	}
}

// arrived reports whether the Engine's account has every value that the subject
// asks for in further fields of the request.
func arrived(asked map[string]string, account []byte) (bool, error) {
	whole, err := decoded(account)
	if err != nil {
		return false, errors.New("reading a container back: the Engine's account is not to be understood")
	}
	for path, text := range asked {
		value, err := decoded([]byte(text))
		if err != nil {
			return false, fmt.Errorf("reading a container back: what was asked of %s is no JSON", path)
		}
		have := leaves(under(whole, strings.Replace(path, "NetworkingConfig.EndpointsConfig", "NetworkSettings.Networks", 1)), "")
		for _, leaf := range leaves(value, "") {
			if !slices.Contains(have, leaf) {
				return false, nil
			}
		}
	}
	return true, nil
}

func decoded(text []byte) (v any, err error) {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	return v, dec.Decode(&v)
}

// under is what an account says at a path.
func under(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// leaves lists the values in a JSON value with their names. Lists are looked
// through: the Engine may keep another order.
func leaves(v any, at string) []string {
	var all []string
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for name, inner := range v {
			all = append(all, leaves(inner, at+"."+name)...)
		}
	case []any:
		for _, inner := range v {
			all = append(all, leaves(inner, at)...)
		}
	default:
		all = append(all, fmt.Sprintf("%s=%v", at, v))
	}
	return all
}
