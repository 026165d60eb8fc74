package level2

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/telemetry"
	"postern/gateway/upstream"
	"postern/observers"
	"postern/observers/canary"
)

// place is where sessions are led: a directory, the observer at the sink of their
// tool server, and those of what the gateway itself writes.
type place struct {
	dir   string
	sink  *observers.Tool
	audit *observers.AuditFiles
	log   *observers.LogFiles
	spans *observers.Collector
	agent *observers.Replies
	mode  string

	server upstream.Server
}

// hear takes what an observer says of a session.
func (s *session) hear(r observers.Report) {
	s.heard.Sound = s.heard.Sound && r.Hearing.Sound()
	for _, o := range r.Observations {
		switch {
		case o.Channel != s.id:
		case o.Sink == channel.SinkTool:
			s.heard.Sightings += o.Sightings
		case o.Sink == channel.SinkAuditLog:
			s.heard.Exhaust.Audit += o.Sightings
		case o.Sink == channel.SinkSpans:
			s.heard.Exhaust.Spans += o.Sightings
		case o.Sink == channel.SinkGatewayLog:
			s.heard.Exhaust.Log += o.Sightings
		case o.Sink == channel.SinkAgent:
			s.heard.Sent += o.Sightings
		}
	}
}

// listen starts the observers, which know the canaries of all sessions.
func (d *driver) listen(dir string, all []*session) (at place, err error) {
	before, after := d.entry(channel.PilotBefore), d.entry(channel.PilotAfter)
	entries := []canary.Entry{before, after}
	for _, s := range all {
		entries = append(entries, d.entry(s.id))
	}
	watch, err := canary.NewWatch(entries)
	if err != nil {
		return at, err
	}
	pilots := observers.Pilots{Before: before.Canary, After: after.Canary}
	at = place{dir: dir, mode: all[0].asks.around.server, agent: observers.NewReplies(watch, pilots)}
	if at.sink, err = observers.NewTool(dir, watch, pilots); err != nil {
		return at, err
	}
	if at.audit, err = observers.NewAuditFiles(dir, watch, pilots); err != nil {
		return at, errors.Join(err, at.sink.Close())
	}
	if at.log, err = observers.NewLogFiles(dir, watch, pilots); err != nil {
		return at, errors.Join(err, at.sink.Close(), at.audit.Close())
	}
	if at.spans, err = observers.NewCollector(channel.SinkSpans, watch, pilots); err != nil {
		return at, errors.Join(err, at.sink.Close(), at.audit.Close(), at.log.Close())
	}
	return at, nil
}

// tell has a gateway tell of its calls where observers listen.
func (p place) tell(c *gateway.Config, name string) {
	c.Telemetry = telemetry.Options{Collector: p.spans.Addr(), Log: filepath.Join(p.log.Dir(), name)}
}

// told counts the calls of a session whose gateway is closed, of which there is
// both a span that was taken and a line.
func (p place) told(g *gateway.Gateway, name string) (int, error) {
	lines, err := os.ReadFile(filepath.Join(p.log.Dir(), name))
	if err != nil {
		return 0, fmt.Errorf("reading a gateway's log: %w", err)
	}
	return min(int(g.Spans().Sent), bytes.Count(lines, []byte{'\n'})), nil
}
