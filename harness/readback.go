package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
)

// The Engine ignores what it does not know and says nothing. So a mutant is
// read back: where the effective configuration of its container is that of the
// reference, its change was dropped, and whatever happens then says nothing
// about the control.

// effective is what the Engine made of a request, without what is every
// container's own.
type effective map[string]any

// readBack reports whether the Engine dropped the mutant's change.
func (t *trial) readBack(ctx context.Context, container string) (dropped bool, err error) {
	if t.spec.Kind != Mutation || !t.changesContainer() {
		return false, nil
	}
	want, err := t.lab.plain(ctx)
	if err != nil {
		return false, err
	}
	_, raw, err := t.api.ContainerInspectWithRaw(ctx, container, false)
	if err != nil {
		return false, fmt.Errorf("reading a container back: %w", err)
	}
	got, err := effectiveFrom(raw, t.uid)
	if err != nil {
		return false, err
	}
	all, err := arrived(t.subject().Profile.Extra, raw)
	return !all || reflect.DeepEqual(want, got), err
}

// changesContainer reports whether the mutant asks for another container at
// all: one of a ceiling does not.
func (t *trial) changesContainer() bool {
	reference, _ := t.spec.Tier.Profile()
	reference.User = user(t.uid)
	c := t.subject()
	return c.Image != t.image || !reflect.DeepEqual(reference, c.Profile)
}

// plain is the effective configuration of the tier's profile, looked up once.
func (l *lab) plain(ctx context.Context) (effective, error) {
	l.plainOnce.Do(func() { l.plainIs, l.plainErr = l.lookUpPlain(context.WithoutCancel(ctx)) })
	return l.plainIs, l.plainErr
}

func (l *lab) lookUpPlain(ctx context.Context) (_ effective, err error) {
	uid := l.uid()
	p, _ := l.tier.Profile()
	p.User = user(uid)
	labels := map[string]string{labelOurs: "1", labelOwner: l.owner.String(), labelTrial: l.owner.String()}
	id, err := l.engine.Create(ctx, l.image, p, labels)
	if err != nil {
		return nil, fmt.Errorf("reading the reference back: %w", err)
	}
	defer func() { err = errors.Join(err, l.engine.Remove(ctx, id)) }()
	return l.effectiveOf(ctx, id, uid)
}

func (l *lab) effectiveOf(ctx context.Context, container string, uid int) (effective, error) {
	_, raw, err := l.api.ContainerInspectWithRaw(ctx, container, false)
	if err != nil {
		return nil, fmt.Errorf("reading a container back: %w", err)
	}
	return effectiveFrom(raw, uid)
}

// effectiveFrom keeps the parts of an account that a request decides. The host
// name is the container's id, and the user the trial's own.
func effectiveFrom(raw []byte, uid int) (effective, error) {
	var account struct {
		Image           string
		Path            string
		Args            []string
		Config          effective
		HostConfig      effective
		Mounts          []effective
		NetworkSettings effective
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&account); err != nil || account.Config == nil || account.HostConfig == nil {
		return nil, errors.New("reading a container back: the Engine's account is not to be understood")
	}
	config := maps.Clone(account.Config)
	delete(config, "Labels")
	if name, ok := config["Hostname"].(string); ok && len(name) == 12 {
		delete(config, "Hostname")
	}
	if config["User"] == user(uid) {
		delete(config, "User")
	}
	return effective{
		"image": account.Image, "path": account.Path, "args": account.Args, "config": config,
		"host": account.HostConfig, "mounts": account.Mounts, "network": account.NetworkSettings,
	}, nil
}

func user(uid int) string { return fmt.Sprintf("%d:%d", uid, uid) }
