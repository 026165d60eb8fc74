package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"postern/harness/engine"
	"postern/harness/host"
	"postern/mutants"
)

// kernelFurniture is what mutants of the kernel channels need beside them.
func kernelFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{
		mutants.NeedHostState:   keepHostState,
		mutants.NeedKeyring:     keepKeyring,
		mutants.NeedDevice:      makeDevice,
		mutants.NeedParent:      nameParent,
		mutants.NeedCoreHandler: handleCores,
		mutants.NeedOpenEngine:  openEngine,
		mutants.NeedCompat:      compatCalls,
		mutants.NeedOtherEngine: impossible("connect-refuses"),
		mutants.NeedMachine:     impossible("no-virtual-machine"),
		mutants.NeedOwnCore:     impossible("limit-is-final"),
	}
}

// impossible is for what the harness makes sure of by itself: there is no way
// to lead a trial in spite of it.
func impossible(reason string) piece {
	return func(context.Context, *trial) (func() error, error) { return nil, &unable{reason} }
}

// compatCalls is there or is not.
func compatCalls(context.Context, *trial) (func() error, error) {
	if !host.Look().CompatCalls {
		return nil, &unable{reasonNoCompat}
	}
	return func() error { return nil }, nil
}

// keepHostState writes the host's state down before a trial that changes it.
func keepHostState(ctx context.Context, t *trial) (func() error, error) {
	unlock, err := lockHost(ctx)
	if err != nil {
		return nil, err
	}
	putBack, err := journalNow(t)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return func() error { return errors.Join(putBack(), unlock()) }, nil
}

func journalNow(t *trial) (putBack func() error, err error) {
	now, err := hostNow()
	if err != nil {
		return nil, err
	}
	now.Released = filepath.Join(t.dir, made)
	return journal(now, t.owner)
}

// keepKeyring has the keys of the agent's user taken away: they outlive it.
func keepKeyring(_ context.Context, t *trial) (func() error, error) {
	return journal(state{Keyring: t.uid}, t.owner)
}

// nameParent names a cgroup that the Engine makes for a container to stand
// below, and leaves there.
func nameParent(_ context.Context, t *trial) (func() error, error) {
	t.site.CgroupParent = fmt.Sprintf("/%s%d", parentPrefix, t.uid)
	return journal(state{Parent: t.site.CgroupParent}, t.owner)
}

// coreHandler writes what the kernel gives it to the end of its command line,
// which the kernel limits to 127 bytes, core(5).
const (
	coreHandler = "/bin/dd"
	corePattern = "/proc/sys/kernel/core_pattern"
	maxPattern  = 127
)

// handleCores makes the kernel hand the cores of the whole host to a program,
// for as long as one trial.
func handleCores(ctx context.Context, t *trial) (func() error, error) {
	if _, err := os.Stat(coreHandler); errors.Is(err, fs.ErrNotExist) {
		return nil, &unable{"no-core-handler"}
	}
	pattern := fmt.Sprintf("|%s of=%s bs=64k status=none", coreHandler, filepath.Join(t.dir, handled))
	if len(pattern) > maxPattern {
		return nil, &unable{"path-too-long"}
	}
	restore, err := keepHostState(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(corePattern, []byte(pattern), 0); err != nil {
		return nil, errors.Join(fmt.Errorf("setting the core pattern: %w", err), restore())
	}
	return restore, nil
}

// permissive is a filter for system calls that allows all of them.
const permissive = `{"defaultAction":"SCMP_ACT_ALLOW"}`

// openEngine leads the trial on a private Engine that was started without the
// default filter.
func openEngine(ctx context.Context, t *trial) (func() error, error) {
	filter := filepath.Join(t.dir, "seccomp.json")
	if err := os.WriteFile(filter, []byte(permissive), 0o600); err != nil {
		return nil, fmt.Errorf("writing a filter: %w", err)
	}
	err := t.engineOf(ctx, engine.Options{Separate: true, Seccomp: filter})
	if n := (*engine.NotApplicable)(nil); errors.As(err, &n) {
		return nil, &unable{"no-private-engine"}
	}
	if err != nil {
		return nil, err
	}
	t.dockerRoot = t.private.Root()
	return t.leaveEngine, nil
}
