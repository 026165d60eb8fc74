package harness

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/harness/residual"
	"postern/reports"
)

// Mitigations that are tried: the hardened profile against every residual
// channel of the reference, and against the time between calls a bridge that
// takes them at multiples of a quantum.
const (
	hardenedProfile = "hardened-profile"
	quantisedStdio  = "quantised-stdio"
)

// reading is what came of one channel under one profile.
type reading struct {
	channel   channel.Residual
	tier      confine.Tier
	quantised bool // the bridge's quantum is tried, beside the profile
	row       reports.Residual
}

// readings lists what a campaign measures: its own profile, and beside the
// reference what the mitigations leave of it.
func (o Options) readings() []reading {
	var all []reading
	for _, c := range channel.Residuals() {
		if !o.measures(c.ID) {
			continue
		}
		if o.tier() == confine.TierReference {
			all = append(all, reading{channel: c, tier: confine.TierReference})
		}
		all = append(all, reading{channel: c, tier: confine.TierHardened})
		if c.Mitigation == quantisedStdio {
			all = append(all, reading{channel: c, tier: o.tier(), quantised: true})
		}
	}
	return all
}

// measures reports whether a channel is among what was asked for. A part of
// the campaign by shard or family holds trials only, but for the first shard. Their
// readers look by way of an Engine.
func (o Options) measures(id channel.ID) bool {
	if o.Backend == BackendBubblewrap || o.Shard > 1 || len(o.Families) > 0 {
		return false
	}
	return o.Select == nil || o.Select(Spec{ID: measurementID(id)})
}

// residuals measures what stays open. What depends on time is measured at the
// end, with nothing beside it but others of its like, and never beside itself.
func (l *lab) residuals(ctx context.Context, o Options) ([]reports.Residual, error) {
	all := o.readings()
	for _, timed := range []bool{false, true} {
		group, together := errgroup.WithContext(ctx)
		group.SetLimit(o.Parallel)
		for _, turns := range lanes(all, timed) {
			group.Go(func() (err error) {
				for _, r := range turns {
					o.reporting()(Event{Started: r.id()})
					if r.row, err = l.read(together, *r); err != nil {
						return err
					}
					o.reporting()(Event{Measured: r.id()})
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return nil, orCanceled(ctx, fmt.Errorf("%w: %w", ErrFailed, err))
		}
	}
	return tabled(all), nil
}

// lanes are the readings of each channel, one behind the other.
func lanes(all []reading, timed bool) map[channel.ID][]*reading {
	out := map[channel.ID][]*reading{}
	for i := range all {
		if id := all[i].channel.ID; residual.Ways()[id].Timed == timed {
			out[id] = append(out[id], &all[i])
		}
	}
	return out
}

// id names the measurement, as --only does.
func (r reading) id() string { return measurementID(r.channel.ID) }

// read takes one measurement.
func (l *lab) read(ctx context.Context, r reading) (reports.Residual, error) {
	m, err := l.measure(ctx, r.channel.ID, r.tier, r.quantised)
	if err != nil {
		return reports.Residual{}, err
	}
	sent, err := m.canaries.secret(r.channel.ID)
	if err != nil {
		return reports.Residual{}, fmt.Errorf("measuring %s: its canary is none", r.channel.ID)
	}
	sent = sent[:residual.Ways()[r.channel.ID].Bytes()]
	return reports.Residual{
		Channel: string(r.channel.ID), Profile: profileOf(r.tier), Reader: reports.Reader(r.channel.Reader),
		BitsSent: 8 * len(sent), BitsRecovered: len(m.heard), BitErrors: residual.Errors(sent, m.heard),
		DurationUS: max(1, m.took.Microseconds()),
	}, nil
}

// tabled sets beside each measurement what a mitigation leaves, a row for each
// that was tried.
func tabled(all []reading) []reports.Residual {
	var rows []reports.Residual
	for _, r := range all {
		if r.quantised {
			continue
		}
		tried := 0
		for _, other := range all {
			if m := r.mitigation(other); m != "" {
				rows, tried = append(rows, mitigated(r.row, m, other.row)), tried+1
			}
		}
		if tried == 0 {
			rows = append(rows, r.row)
		}
	}
	return rows
}

// mitigation is what another reading of the channel has that this one has not.
func (r reading) mitigation(other reading) string {
	switch {
	case other.channel.ID != r.channel.ID:
		return ""
	case other.quantised && other.tier == r.tier:
		return quantisedStdio
	case !other.quantised && other.tier == confine.TierHardened && r.tier == confine.TierReference:
		return hardenedProfile
	}
	return ""
}

func mitigated(row reports.Residual, by string, then reports.Residual) reports.Residual {
	row.Mitigation = by
	row.MitigatedBits = residual.Information(then.BitsRecovered, then.BitErrors)
	row.MitigatedUS = then.DurationUS
	return row
}

func profileOf(t confine.Tier) reports.Profile {
	if t == confine.TierHardened {
		return reports.Hardened
	}
	return reports.Reference
}
