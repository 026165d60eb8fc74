// Package harness runs the campaign: it plans the trials, runs each against
// real containers, listens, has the oracle judge, and writes the evidence down.
//
// It promises that the plan is on disk before the first trial, that no verdict
// is given without the shared oracle, that a bundle appears only when it was
// searched for the run's own canaries, and that nothing it started is left
// behind when it returns. A SIGKILL leaves containers for Sweep to find.
package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"postern/harness/host"
	"postern/observers"
	"postern/reports"
)

// DefaultSocket is where a local Docker Engine listens.
const DefaultSocket = "/var/run/docker.sock"

// DefaultParallel is how many trials run at once: measured on two cores, four
// saturate the Engine and more are no faster.
const DefaultParallel = 4

// maxRuns bounds how often a fault is injected.
const maxRuns = 1000

// Options say what to run. The zero value runs everything and keeps nothing.
type Options struct {
	Socket   string          // of the Engine; DefaultSocket where empty
	Out      string          // where the bundle goes; nothing is written where empty
	Select   func(Spec) bool // which trials run; all where nil
	Parallel int             // trials at once, and as many that hurt the supervision; DefaultParallel where 0
	Seed     int64           // orders the trials
	Runs     int             // how often each fault of the supervision is injected; 1 where 0
	Progress func(Event)     // called in turn, never twice at once; may be nil
	Families []string        // of mutants or of channels that they open: only those run; all trials where empty
	Shard    int             // which part of the plan runs, from 1
	Shards   int             // into how many parts the plan is divided; undivided where 0
	Backend  string          // what confines the agent: BackendDocker where empty
	Profile  string          // what the subject has in place: a word of reports.Profile; the reference where empty
}

// Event is one step of a campaign.
type Event struct {
	Planned  int            // trials and measurements in this run
	Done     int            // of them, those that ended
	Started  string         // the id of a trial that begins, or empty
	Finished *reports.Trial // a trial that ended, or nil
	Measured string         // the id of a measurement that ended, or empty
	Err      error          // why it could not be run, or nil; without a trial, of a mutant of what decides
}

// Cannot says why this machine cannot run the campaign, and what to do.
type Cannot struct{ Reason string }

func (c *Cannot) Error() string { return c.Reason }

// ErrFailed means that a campaign broke off: it proves nothing.
var ErrFailed = errors.New("the campaign failed")

// ErrUsage means that the options make no campaign.
var ErrUsage = errors.New("usage")

// ErrNoneSelected is the ErrUsage of options that leave nothing to run.
var ErrNoneSelected = fmt.Errorf("%w: no trial is selected", ErrUsage)

// ErrParallel is the ErrUsage of a number of trials at once that is none.
var ErrParallel = fmt.Errorf("%w: --parallel must be from 1 to 64", ErrUsage)

// ErrRuns is the ErrUsage of a number of runs that is none.
var ErrRuns = fmt.Errorf("%w: --runs must be from 1 to %d", ErrUsage, maxRuns)

// Run runs a campaign and returns its evidence, which is also the bundle's
// when Out is set. The error is nil when every trial ran, whatever it showed:
// see the evidence's Summary.
func Run(ctx context.Context, o Options) (reports.Evidence, error) {
	o = o.withDefaults()
	specs, err := o.choose()
	if err != nil {
		return reports.Evidence{}, err
	}
	if err := reports.SelfCheck(); err != nil {
		return reports.Evidence{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	var stage *reports.Staging
	if o.Out != "" {
		if stage, err = reports.Stage(o.Out); err != nil {
			return reports.Evidence{}, fmt.Errorf("%w: %w", ErrUsage, err)
		}
		defer stage.Discard()
	}
	l, err := openLab(ctx, o)
	if err != nil {
		return reports.Evidence{}, err
	}
	defer l.close()
	return l.campaign(ctx, o, specs, stage)
}

// Unable writes the evidence of a campaign that this machine cannot run: every
// trial is not applicable, and nothing in it is ever accepted.
func Unable(ctx context.Context, o Options) (reports.Evidence, error) {
	o = o.withDefaults()
	specs, err := o.choose()
	if err != nil {
		return reports.Evidence{}, err
	}
	var trials []reports.Trial
	for _, s := range specs {
		row := blank(s)
		row.Outcome, row.Reason = outcomeNotApplicable, reasonUnable
		trials = append(trials, judge(row))
	}
	facts := host.Look()
	l := &lab{
		generator:   generator(ctx),
		environment: reports.Environment{OS: facts.OS, Arch: facts.Arch, Kernel: facts.Kernel, CPUs: facts.CPUs, CgroupVersion: facts.CgroupVersion, CompatCalls: yesNo(facts.CompatCalls), Sandbox: sandboxWord(sandboxed())},
	}
	stage, err := reports.Stage(o.Out)
	if err != nil {
		return reports.Evidence{}, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	defer stage.Discard()
	if err := stage.WriteManifest(manifestOf(o.Seed, o.plan().Specs())); err != nil {
		return reports.Evidence{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return seal(stage, l.evidence(o, specs, trials, nil, reports.Rules{}, time.Now()), nil)
}

// campaign writes the plan, runs it, and publishes what came of it.
func (l *lab) campaign(ctx context.Context, o Options, specs []Spec, stage *reports.Staging) (reports.Evidence, error) {
	started := time.Now()
	manifest := manifestOf(o.Seed, o.plan().Specs())
	if stage != nil {
		if err := stage.WriteManifest(manifest); err != nil {
			return reports.Evidence{}, fmt.Errorf("%w: %w", ErrFailed, err)
		}
	}
	o.Progress = reporter(o.Progress, len(specs)+len(o.readings())+o.ruleSteps())
	trials, err := l.all(ctx, o, specs)
	if err != nil {
		return reports.Evidence{}, err
	}
	open, err := l.residuals(ctx, o)
	if err != nil {
		return reports.Evidence{}, err
	}
	rules, err := l.rules(ctx, o)
	if err != nil {
		return reports.Evidence{}, err
	}
	evidence := l.evidence(o, specs, trials, open, rules, started)
	if stage == nil {
		return evidence, nil
	}
	return seal(stage, evidence, func(dir string) error { return l.search(ctx, dir) })
}

// all runs the trials in an order drawn from the seed, and returns them in the
// order of the manifest. Those that change the state of the host come last, one
// at a time.
func (l *lab) all(ctx context.Context, o Options, specs []Spec) ([]reports.Trial, error) {
	trials := make([]reports.Trial, len(specs))
	report := o.reporting()
	run := func(ctx context.Context, i int) (err error) {
		report(Event{Started: specs[i].ID})
		trials[i], err = l.try(ctx, specs[i])
		if ctx.Err() != nil {
			return ctx.Err() // what was cut short came to nothing
		}
		report(Event{Finished: &trials[i], Err: err})
		return nil
	}
	var together, alone []int
	for _, i := range rand.New(rand.NewPCG(uint64(o.Seed), 0)).Perm(len(specs)) {
		if specs[i].Alone {
			alone = append(alone, i)
		} else {
			together = append(together, i)
		}
	}
	if err := l.abreast(ctx, o, specs, together, run); err != nil {
		return nil, err
	}
	for _, i := range alone {
		if err := run(ctx, i); err != nil {
			return nil, err
		}
	}
	return trials, nil
}

// abreast runs trials several at a time. Those that hurt the supervision have
// slots of their own: they keep nobody busy, but wait for leases to run out.
func (l *lab) abreast(ctx context.Context, o Options, specs []Spec, order []int, run func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	busy, waiting := make(chan struct{}, o.Parallel), make(chan struct{}, o.Parallel)
	if o.Parallel == 1 {
		waiting = busy // one at a time means just that
	}
	group.Go(func() error { return l.checkLogs(ctx, dressesLog(specs)) })
	for _, i := range order {
		slots := busy
		if s := specs[i].Scene; s != nil && s.Watched {
			slots = waiting
		}
		group.Go(func() error {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-ctx.Done():
				return ctx.Err()
			}
			return run(ctx, i)
		})
	}
	return group.Wait()
}

// checkLogs proves, once a campaign, that a log which is kept would be heard by
// both of the log observer's routes. In a trial that keeps none, only the
// directory can show that it is looked at. That a line which the driver splits
// would be heard in its dress is proved where a trial depends on it.
func (l *lab) checkLogs(ctx context.Context, dressed bool) error {
	if l.cells != nil {
		return nil // nobody keeps one
	}
	labels := map[string]string{labelOurs: "1", labelOwner: l.owner.String()}
	if err := observers.CheckLogs(ctx, l.api, l.dockerRoot, l.image, labels, dressed); err != nil {
		return orCanceled(ctx, fmt.Errorf("%w: %w", ErrFailed, err))
	}
	return nil
}

// reporting is where news goes.
func (o Options) reporting() func(Event) {
	if o.Progress == nil {
		return func(Event) {}
	}
	return o.Progress
}

// reporter counts for the listener and keeps its calls apart.
func reporter(progress func(Event), planned int) func(Event) {
	var mu sync.Mutex
	done := 0
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Finished != nil || e.Measured != "" {
			done++
		}
		if progress != nil {
			e.Planned, e.Done = planned, done
			progress(e)
		}
	}
}

func (o Options) withDefaults() Options {
	if o.Socket == "" {
		o.Socket = DefaultSocket
	}
	if o.Parallel == 0 {
		o.Parallel = DefaultParallel
	}
	if o.Runs == 0 {
		o.Runs = 1
	}
	if o.Shards == 0 && o.Shard == 0 {
		o.Shard, o.Shards = 1, 1
	}
	return o
}

// choose picks the trials. A pattern that selects nothing is an error: an
// empty campaign would be a green that means nothing.
func (o Options) choose() ([]Spec, error) {
	if o.Parallel < 1 || o.Parallel > 64 {
		return nil, ErrParallel
	}
	if o.Runs < 1 || o.Runs > maxRuns {
		return nil, ErrRuns
	}
	if o.Seed < 0 {
		return nil, fmt.Errorf("%w: --seed must be a number from 0", ErrUsage)
	}
	if err := cmp.Or(checkProfile(o.Profile), o.checkBackend(), checkFamilies(o.Families), checkShard(o.Shard, o.Shards)); err != nil {
		return nil, err
	}
	var chosen []Spec
	for i, s := range o.plan().Specs() {
		if inShard(i, o.Shard, o.Shards) && inFamilies(s, o.Families) && (o.Select == nil || o.Select(s)) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 && len(o.readings()) == 0 && !o.rules() {
		return nil, fmt.Errorf("%w; 'postern list' prints the ids of all trials, those of the other profile take --profile, and rules run together, as 'run --only rules'", ErrNoneSelected)
	}
	return chosen, nil
}

// Only selects the trials whose id matches a pattern of path.Match, or lies in
// a folder that does: "mutant/profile" selects all below it. The kind in front
// may be left out, as in "profile/network-host".
func Only(pattern string) (func(Spec) bool, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%w: --only is not a pattern: * stands for anything but a slash, and a folder for all below it", ErrUsage)
	}
	return func(s Spec) bool {
		_, short, _ := strings.Cut(s.ID, "/")
		return below(pattern, s.ID) || below(pattern, short)
	}, nil
}

// below reports whether a pattern matches an id or a folder above it.
func below(pattern, id string) bool {
	for at := id; at != "." && at != "/" && at != ""; at = path.Dir(at) {
		if ok, err := path.Match(pattern, at); ok && err == nil {
			return true
		}
	}
	return false
}
