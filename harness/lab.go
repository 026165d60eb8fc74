package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
	"postern/harness/host"
	"postern/observers"
	"postern/observers/canary"
	"postern/reports"
)

// lab is what the trials of one campaign share.
type lab struct {
	engine      *docker.Engine      // the gateway's way to the Engine
	api         *client.Client      // the observers' own
	cells       *gateway.Bubblewrap // what confines agents without an Engine; nil where there is one
	dir         string              // of this run alone; removed at the end
	binaries    fixtures.Binaries
	upstream    string // SHA-256 of the tool server's executable
	image       string // immutable id of the agent's image
	owner       host.Owner
	dockerRoot  string // the Engine's own directory on this host
	environment reports.Environment
	generator   reports.Generator
	key         canary.Key    // thrown away with the lab
	deafened    *canary.Watch // finds the canaries of no trial
	uids        atomic.Int64  // user ids given away
	peer        peers         // another container, for those who share something with it
	outskirts   outskirts     // network namespaces beside the host's
	bridge      ownBridge     // the Engine's, to which they have a link
	locks       *observers.LockFiles

	tier confine.Tier // what the subjects are held to

	plainOnce sync.Once
	plainIs   effective // what the Engine makes of the tier's profile
	plainErr  error

	mu     sync.Mutex
	minted []canary.Entry // every canary of the run, for the search of the bundle
}

// openLab finds out whether this machine can, and sets up what trials share.
func openLab(ctx context.Context, o Options) (*lab, error) {
	if reason := host.Look().Cannot(); reason != "" {
		return nil, &Cannot{reason}
	}
	if err := confine.DenyCores(); err != nil {
		return nil, &Cannot{"it does not let this process forbid its own core files: " + err.Error()}
	}
	nobody, err := mint(canary.NewKey(), "", "")
	if err != nil {
		return nil, err
	}
	l := &lab{key: canary.NewKey(), deafened: nobody.watch, tier: o.tier()}
	if err := l.setUp(ctx, o); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *lab) setUp(ctx context.Context, o Options) error {
	if _, err := sweepJournals(); err != nil { // before preflight, which looks at what may have to be put back
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if err := l.backed(ctx, o); err != nil {
		return err
	}
	if _, err := sweepJournals(); err != nil { // again, now that containers are gone
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if err := errors.Join(sweepDirectories(ctx), sweepObjects()); err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	var err error
	if l.owner, err = host.Self(); err != nil {
		return &Cannot{err.Error()}
	}
	if l.dir, err = os.MkdirTemp("", "postern-"); err != nil {
		return &Cannot{"it has no temporary directory; set TMPDIR to one: " + err.Error()}
	}
	if err := os.WriteFile(filepath.Join(l.dir, ownerFile), []byte(l.owner.String()), 0o600); err != nil {
		return fmt.Errorf("%w: marking the run's directory: %w", ErrFailed, err)
	}
	if l.locks, err = observers.NewLockFiles(filepath.Join(l.dir, "locks")); err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if l.binaries, err = fixtures.Build(ctx, l.dir); err != nil {
		return orCanceled(ctx, &Cannot{err.Error()})
	}
	if l.upstream, err = digest(l.binaries.Upstream); err != nil {
		return fmt.Errorf("%w: measuring the tool server: %w", ErrFailed, err)
	}
	if l.cells != nil {
		l.describeCells(ctx)
		return l.rooted()
	}
	if l.image, err = fixtures.BuildImage(ctx, l.api, l.binaries.Agent); err != nil {
		return orCanceled(ctx, fmt.Errorf("%w: %w", ErrFailed, err))
	}
	return l.describe(ctx)
}

// backed finds what confines agents, and takes away what killed runs left there.
func (l *lab) backed(ctx context.Context, o Options) error {
	if o.Backend == BackendBubblewrap {
		return l.celled(ctx)
	}
	if err := l.connect(ctx, o.Socket); err != nil {
		return err
	}
	if _, err := sweep(ctx, l.api); err != nil {
		return orCanceled(ctx, fmt.Errorf("%w: %w", ErrFailed, err))
	}
	return nil
}

// connect reaches the Engine twice: once for the gateway, and once for the
// observers, which share nothing with what they observe.
func (l *lab) connect(ctx context.Context, socket string) error {
	path := strings.TrimPrefix(socket, "unix://")
	var err error
	if l.engine, err = docker.Connect(ctx, path); err != nil {
		return orCanceled(ctx, &Cannot{err.Error()})
	}
	if l.api, err = client.NewClientWithOpts(client.WithHost("unix://"+path), client.WithAPIVersionNegotiation()); err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	facts, err := l.engine.Facts(ctx)
	if err != nil {
		return orCanceled(ctx, &Cannot{err.Error()})
	}
	if refusals := confine.Preflight(facts); len(refusals) > 0 {
		return &Cannot{remedy(refusals[0].Control)}
	}
	return nil
}

// remedy says what a host control wants and how to give it that.
func remedy(c confine.Control) string {
	switch c {
	case confine.HostCorePattern:
		return string(c) + ": cores go to a program or nowhere known; make it a file for the run: sysctl -w kernel.core_pattern=core"
	case confine.HostNativeLinux, confine.HostEngineKernel:
		return string(c) + ": the Engine runs in a machine of its own, which cannot be observed from here; run where dockerd runs"
	case confine.HostLocalSocket, confine.HostSocketPeer:
		return string(c) + ": the socket is not the Engine's own; give the local one with --socket"
	case confine.HostEngineSeccomp:
		return string(c) + ": the Engine has no default seccomp filter; start dockerd without --seccomp-profile"
	default:
		return string(c) + ": the control is not in place on this host"
	}
}

// no is what the evidence says of what the machine does not have.
const no = "no"

func yesNo(has bool) string {
	if has {
		return "yes"
	}
	return no
}

// describe writes down what machine and which Postern this is.
func (l *lab) describe(ctx context.Context) error {
	info, err := l.api.Info(ctx)
	if err != nil {
		return orCanceled(ctx, fmt.Errorf("%w: asking the Engine about itself: %w", ErrFailed, err))
	}
	l.describeCells(ctx)
	l.dockerRoot = info.DockerRootDir
	l.environment.Engine, l.environment.EngineAPI, l.environment.Runtime = info.ServerVersion, l.api.ClientVersion(), info.DefaultRuntime
	l.environment.StorageDriver, l.environment.Image = info.Driver, l.image
	return nil
}

// describeCells writes down what there is without an Engine, too.
func (l *lab) describeCells(ctx context.Context) {
	facts := host.Look()
	l.environment = reports.Environment{
		OS: facts.OS, Arch: facts.Arch, Kernel: facts.Kernel, CPUs: facts.CPUs, CgroupVersion: facts.CgroupVersion,
		Runtime: BackendBubblewrap, CorePattern: "file", // preflight refuses any other
		CompatCalls: yesNo(facts.CompatCalls), Sandbox: sandboxWord(sandboxed()),
	}
	l.generator = generator(ctx)
}

// The user ids of agents: each container has one of its own, since the kernel
// counts and keeps some things by user, whatever the namespace. They stand far
// above those that systems give to people, and apart for other campaigns.
const (
	firstUID     = 1 << 20
	uidsOfOneRun = 1 << 12
	runsOfUIDs   = 1 << 16
)

// uid is a user id that no other container on this host has.
func (l *lab) uid() int {
	n := l.uids.Add(1) % uidsOfOneRun
	return firstUID + l.owner.PID%runsOfUIDs*uidsOfOneRun + int(n)
}

// close removes what the lab made. It runs when the context is over, too.
func (l *lab) close() error {
	errs := []error{l.outskirts.close()}
	if l.locks != nil {
		errs = append(errs, l.locks.Close())
	}
	if l.dir != "" {
		errs = append(errs, os.RemoveAll(l.dir))
	}
	if l.api != nil {
		errs = append(errs, l.peer.remove(l))
	}
	if l.image != "" {
		errs = append(errs, l.leaveImages())
	}
	if l.engine != nil {
		errs = append(errs, l.engine.Close())
	}
	if l.api != nil {
		errs = append(errs, l.api.Close())
	}
	return errors.Join(errs...)
}

// mint makes a trial's canaries and remembers them for the search of the bundle.
func (l *lab) mint(trial string, tier confine.Tier) (canaries, error) {
	c, err := mint(l.key, trial, tier)
	if err != nil {
		return canaries{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.minted = append(l.minted, c.entries()...)
	return c, nil
}

// labels mark a container as ours, and as this process's.
func (l *lab) labels(c canaries) map[string]string {
	labels := map[string]string{labelOurs: "1", labelOwner: l.owner.String(), labelTrial: l.owner.String(), labelPilot: c.pilotLabel()}
	if dressed := c.dressedLabel(); dressed != "" {
		labels[labelDressed] = dressed
	}
	return labels
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// orCanceled prefers the news that the user gave up to whatever that broke.
func orCanceled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
