package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/harness/residual"
	"postern/mutants"
	"postern/reports"
)

// measurement is one residual channel read once under one profile.
type measurement struct {
	*trial
	channel channel.ID
	way     residual.Way
	target  residual.Target
	slot    time.Duration // the sender's, where it has none of its own
	began   time.Time
	heard   residual.Bits
	took    time.Duration
	early   chan error    // of what listens from the start; nil where nothing does
	over    chan struct{} // closed once that has ended
	failed  error
}

// residualFolder stands in front of the ids of measurements.
const residualFolder = "residual/"

func measurementID(id channel.ID) string {
	return residualFolder + strings.TrimPrefix(string(id), "residual.")
}

// measure sends one canary over a residual channel of a protected session, and
// has it read from outside by somebody who does not know it.
func (l *lab) measure(ctx context.Context, id channel.ID, tier confine.Tier, quantised bool) (m *measurement, err error) {
	ctx, cancel := context.WithTimeout(ctx, trialBound)
	defer cancel()
	spec := Spec{ID: measurementID(id), Kind: Protected, Tier: tier}
	m = &measurement{channel: id, way: residual.Ways()[id], slot: residual.PaceSlot}
	if quantised {
		m.slot, m.target.Quantum = residual.Quantum, residual.Quantum
		spec.Apply = func(c *gateway.Config, _ mutants.Site) { c.Limits.Quantum = residual.Quantum }
	}
	m.trial = l.trial(spec, new(reports.Trial))
	m.canaries, err = l.mint(spec.ID, tier)
	if err != nil {
		return nil, err
	}
	if m.dir, err = os.MkdirTemp(l.dir, "residual-"); err != nil {
		return nil, fmt.Errorf("making a directory for a measurement: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.dir)) }()
	m.audit = m.dir + "/audit.sqlite"
	if m.posts, err = m.toolOnly(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.posts.close()) }()
	return m, m.session(ctx)
}

// toolOnly opens the one observer without which there is no session.
func (t *trial) toolOnly() (posts, error) {
	o := &opening{trial: t, posts: posts{addresses: map[channel.ID]string{}}}
	o.tool()
	return o.posts, o.err
}

func (m *measurement) session(ctx context.Context) error {
	initial, err := m.canaries.transmission(m.channel, m.slot)
	if err != nil {
		return err
	}
	config, err := m.enrolled(ctx)
	if err != nil {
		return err
	}
	result, err := gateway.Session{
		Config: config, Backend: m.backend(), Initial: initial, Labels: m.labels(m.canaries),
		Watchdog: []string{m.binaries.Gateway, gateway.WatchdogCommand},
		Started:  m.started, Reported: m.reported, Stopped: m.stopped,
	}.Run(ctx)
	if m.early != nil {
		m.failed = errors.Join(m.failed, <-m.early)
	}
	for _, r := range result.Refusals {
		if r.Stage != confine.StageEnded { // then it saw the reader, who runs a process in the container
			err = errors.Join(err, fmt.Errorf("measuring a residual channel: admission refused the profile for %s", r.Control))
		}
	}
	return errors.Join(err, m.failed)
}

func (m *measurement) started(ctx context.Context, container string, pid int) error {
	m.target.API, m.target.Container, m.target.PID, m.target.Audit = m.api, container, pid, m.audit
	m.began = time.Now()
	if m.way.When != residual.FromTheStart {
		return nil
	}
	m.early, m.over = make(chan error, 1), make(chan struct{})
	go func() {
		defer close(m.over)
		m.early <- m.receive(ctx)
	}()
	return nil
}

// lateNews is how long what listens from the start may still hear of what the
// agent has sent.
const lateNews = time.Second

func (m *measurement) reported(ctx context.Context) {
	switch m.way.When {
	case residual.WhileItLives:
		m.failed = m.receive(ctx)
	case residual.FromTheStart:
		select {
		case <-m.over:
		case <-time.After(lateNews):
		}
	}
}

func (m *measurement) stopped(ctx context.Context, _ string) error {
	if m.way.When != residual.AfterItEnded {
		return nil
	}
	return m.receive(ctx)
}

func (m *measurement) receive(ctx context.Context) error {
	heard, err := m.way.Receive(ctx, m.target)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", m.channel, err)
	}
	m.heard, m.took = heard, time.Since(m.began)
	return nil
}
