package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
	"postern/harness/engine"
	"postern/mutants"
	"postern/reports"
)

// Outcomes of a trial that could not be led to an end of its own. None is ever
// an outcome that a Spec expects.
const (
	outcomeError         = "error"
	outcomeTimeout       = "timeout"
	outcomeNotApplicable = "not-applicable" // this machine cannot run it
)

// trialBound is how long one trial may take, far above any that goes well.
const trialBound = 2 * time.Minute

// try runs one trial and has it judged. What went wrong with the trial itself
// is in its outcome, and in err for people to read.
func (l *lab) try(ctx context.Context, s Spec) (row reports.Trial, err error) {
	began := time.Now()
	row = blank(s)
	if s.Lacks != "" {
		row.Outcome, row.Reason = outcomeNotApplicable, string(s.Lacks)
		return judge(row), nil
	}
	bounded, cancel := context.WithTimeout(ctx, trialBound)
	defer cancel()
	if err = l.trial(s, &row).run(bounded); err != nil {
		row.Outcome = outcomeError
		if bounded.Err() != nil {
			row.Outcome = outcomeTimeout
		}
		if u := (*unable)(nil); errors.As(err, &u) {
			row.Outcome, row.Reason = outcomeNotApplicable, u.reason
		}
	}
	row.DurationMS = time.Since(began).Milliseconds()
	return judge(row), err
}

// blank is the row of a trial of which nothing is known yet.
func blank(s Spec) reports.Trial {
	return reports.Trial{
		ID: s.ID, Kind: reports.Kind(s.Kind), Control: string(s.Control), Expected: expected(s),
		Refused: []reports.Refusal{}, Hearings: []reports.Hearing{},
		Observations: []reports.Observation{}, Attempts: []reports.Attempt{},
		Container: reports.Absent,
		With:      withOf(s), Baseline: s.Baseline, Reason: string(s.Inert),
	}
}

// trial is one subject on its way through one session.
type trial struct {
	*lab
	engine     *docker.Engine  // the lab's, unless the trial hurts one of its own
	api        *client.Client  // the observers' way to it
	private    *engine.Private // the trial's own Engine, or nil
	spec       Spec
	row        *reports.Trial
	audit      string                 // path of the session's audit log
	admitted   func(*gateway.Gateway) // what happens before the initial frame; may be nil
	canaries   canaries
	dir        string
	root       string       // of its cell, where it has one
	site       mutants.Site // what stands beside the subject
	uid        int          // the agent's, and that of no other container on this host
	dockerRoot string       // the Engine's own directory; the trial's own Engine's, where it has one
	around     around       // the network around the subject
	posts      posts        // the observers
	grounds    grounds      // of a hostile tool server
	looked     error        // why the processes could not be looked at
	container  string       // its id, once it runs
}

func (l *lab) trial(s Spec, row *reports.Trial) *trial {
	return &trial{lab: l, engine: l.engine, api: l.api, spec: s, row: row, uid: l.uid(), dockerRoot: l.dockerRoot}
}

// run follows the steps of a trial: listen, prove hearing, lead the session,
// prove hearing again, collect.
func (t *trial) run(ctx context.Context) (err error) {
	if t.canaries, err = t.mint(t.spec.ID, t.spec.Tier); err != nil {
		return err
	}
	t.canaries.muted = t.spec.Mute
	if t.dir, err = os.MkdirTemp(t.lab.dir, "trial-"); err != nil {
		return fmt.Errorf("making a directory for the trial: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.dir)) }()
	t.audit = t.dir + "/audit.sqlite"
	if err := t.ownRoot(); err != nil {
		return err
	}
	leave, err := t.homely()
	defer func() { err = errors.Join(err, leave()) }()
	if err != nil {
		return err
	}
	takeAway, err := t.furnish(ctx)
	defer func() { err = errors.Join(err, takeAway()) }()
	if err != nil {
		return err
	}
	if t.posts, err = t.listen(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.posts.close()) }()
	if err := t.posts.pilots(ctx, channel.PilotBefore, t.posts.listeners); err != nil {
		return err
	}
	if err := t.lead(ctx); err != nil {
		return err
	}
	if err := t.posts.pilots(ctx, channel.PilotAfter, t.posts.listeners); err != nil {
		return err
	}
	return t.collect(ctx, t.posts.listeners)
}

// lead does what the trial is about.
func (t *trial) lead(ctx context.Context) error {
	if t.spec.Scene != nil {
		return t.spec.Scene.Lead(ctx, t)
	}
	result, err := t.session(ctx)
	if err := t.fated(ctx, result, err); err != nil {
		return err
	}
	t.record(result)
	return nil
}

// session leads the changed subject through the gateway.
func (t *trial) session(ctx context.Context) (gateway.Result, error) {
	config, err := t.enrolled(ctx)
	if err != nil {
		return gateway.Result{}, err
	}
	initial, err := t.initial()
	if err != nil {
		return gateway.Result{}, err
	}
	s := gateway.Session{
		Config:   config,
		Backend:  t.backend(),
		Initial:  initial,
		Labels:   t.labels(t.canaries),
		Watchdog: []string{t.binaries.Gateway, gateway.WatchdogCommand},
		Waive:    t.waive(),
		Created:  t.created,
		Started:  t.started,
		Reported: t.reported,
		Stopped:  t.stopped,
	}
	s.Admitted = t.admitted
	if t.spec.Sever {
		s.Admitted = func(g *gateway.Gateway) { err = g.Close() }
	}
	result, runErr := s.Run(ctx)
	return result, errors.Join(runErr, err)
}

// initial is the frame that hands the canaries over.
func (t *trial) initial() ([]byte, error) {
	if t.spec.Lone != "" {
		return t.canaries.lone(t.spec.Lone)
	}
	return t.canaries.initialFrame(plan.Plan{Mode: t.spec.Mode}, t.posts.addresses)
}

// subject is the reference with what the trial needs of this machine, and then
// with the trial's change.
func (t *trial) subject() gateway.Config {
	c := policy.Reference()
	c.Image = t.image
	c.Profile, _ = t.spec.Tier.Profile()
	c.Profile.User = user(t.uid)
	c.Audit = t.audit
	c.Upstream.Path = t.binaries.Upstream
	c.Upstream.SHA256 = t.lab.upstream
	c.Upstream.Env = []string{"POSTERN_SINK=" + t.posts.tool.Addr(), "POSTERN_MODE=" + t.spec.Upstream}
	c = c.Clone()
	if t.spec.Apply != nil {
		t.spec.Apply(&c, t.site)
	}
	return c
}

// waive lets a mutant past admission, and only when admission refused it for
// nothing but the control that it weakens. For all other trials it is nil.
func (t *trial) waive() func(context.Context, []confine.Refusal) bool {
	if len(t.spec.Refused) == 0 || t.spec.Kind != Mutation {
		return nil
	}
	return func(_ context.Context, refusals []confine.Refusal) bool {
		for _, r := range refusals {
			if !containsAll(words(t.spec.Refused), []string{string(r.Control)}) {
				return false
			}
		}
		return true
	}
}

// created sends the first pilots of the observers that need a container.
func (t *trial) created(ctx context.Context, id string) (err error) {
	if t.cells == nil { // bubblewrap refuses what it does not know
		t.row.Dropped, err = t.readBack(ctx, id)
	}
	if err != nil {
		return err
	}
	if t.row.Dropped && t.fate() == mutants.EngineDrops {
		t.row.Dropped = false
		return &unable{string(mutants.EngineDrops)}
	}
	for _, o := range t.posts.attached {
		o.Attach(id)
	}
	return t.posts.pilots(ctx, channel.PilotBefore, asObservers(t.posts.attached))
}

// started sends the first pilots of the observers that need a process.
func (t *trial) started(ctx context.Context, id string, pid int) error {
	t.container = id
	for _, o := range t.posts.living {
		o.Enter(id, pid)
	}
	if err := t.posts.pilots(ctx, channel.PilotBefore, asObservers(t.posts.living)); err != nil {
		return err
	}
	if t.spec.Kind == FailureMode {
		return nil // what is done there is done behind the agent's back, later
	}
	return t.act(ctx, id)
}

// reported looks at the processes while the agent, which has tried everything,
// waits. What could not be looked at is kept for the end of the session.
func (t *trial) reported(ctx context.Context) {
	select {
	case <-time.After(t.spec.Linger):
	case <-ctx.Done():
	}
	t.looked = errors.Join(t.looked, t.posts.look(ctx))
	t.looked = errors.Join(t.looked, t.posts.pilots(ctx, channel.PilotAfter, asObservers(t.posts.living)))
	if t.spec.Kind == FailureMode {
		t.looked = errors.Join(t.looked, t.act(ctx, t.container))
	}
}

// stopped looks at the container before it is removed.
func (t *trial) stopped(ctx context.Context, id string) (err error) {
	if t.looked != nil {
		return t.looked
	}
	if t.spec.Removed {
		return t.vanished(ctx, id)
	}
	if t.row.Container, err = t.ended(ctx, id); err != nil {
		return err
	}
	all := asObservers(t.posts.attached)
	if err := t.posts.pilots(ctx, channel.PilotAfter, all); err != nil {
		return err
	}
	return t.collect(ctx, append(all, asObservers(t.posts.living)...))
}

// ended is the state in which what the agent ran in was found at the end.
func (t *trial) ended(ctx context.Context, id string) (reports.Container, error) {
	if t.cells != nil {
		return cellEnded(id)
	}
	state, err := t.engine.State(ctx, id)
	if err != nil {
		return "", err
	}
	return containerWord(state), nil
}

// vanished looks at what is left of a container that the Engine takes away: what
// was seen of it while it lived.
func (t *trial) vanished(ctx context.Context, id string) error {
	running, err := t.engine.Running(ctx, id)
	if err != nil {
		return err
	}
	if t.row.Container = reports.Exited; running {
		t.row.Container = reports.Running
	}
	return t.collect(ctx, asObservers(t.posts.living))
}

func containerWord(s docker.State) reports.Container {
	if s.Running || s.Status != "exited" {
		return reports.Running // paused and restarting ones hold plaintext too
	}
	return reports.Exited
}
