package observers

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Pilots are the canaries that the harness sends through an observer's path.
// The observer's watch knows them as channel.PilotBefore and
// channel.PilotAfter.
type Pilots struct {
	Before, After canary.Canary

	// Dressed are those that are sent in a dress besides, in the trials in which
	// the agent dresses a canary for this observer's sink; nil in all others. The
	// watch knows them as channel.DressedBefore and channel.DressedAfter.
	Dressed *Pilots
}

func (p Pilots) text(phase channel.ID) (string, error) {
	c := p.Before
	switch phase {
	case channel.PilotBefore:
	case channel.PilotAfter:
		c = p.After
	default:
		return "", fmt.Errorf("%q is no phase of a trial", phase)
	}
	if c.Reveal() == "" {
		return "", errors.New("there is no pilot to send")
	}
	return c.Reveal(), nil
}

// bytes are what the text of a pilot spells.
func (p Pilots) bytes(phase channel.ID) ([]byte, error) {
	text, err := p.text(phase)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != canary.Size {
		return nil, errors.New("the pilot is no canary")
	}
	return raw, nil
}

const (
	pilotPatience   = 4 * time.Second // for a pilot to be heard; loopback takes microseconds
	vainPatience    = pilotPatience / 20
	collectPatience = 4 * time.Second // for connections to end, once the trial is over
)

// ledger adds up what one observer saw and lost. It may be shared between
// goroutines.
type ledger struct {
	mu    sync.Mutex
	seen  map[channel.ID]int
	sent  map[channel.ID]int // pilots
	units int
	drops int
	bytes int64
	news  chan struct{} // closed and replaced at every addition
}

func newLedger() *ledger {
	return &ledger{seen: map[channel.ID]int{}, sent: map[channel.ID]int{}, news: make(chan struct{})}
}

func (l *ledger) change(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
	close(l.news)
	l.news = make(chan struct{})
}

// read counts one unit of that many bytes and the sightings in it.
func (l *ledger) read(bytes int64, seen map[channel.ID]int) {
	l.count(1, bytes)
	l.found(seen)
}

func (l *ledger) count(units int, bytes int64) {
	l.change(func() {
		l.units += units
		l.bytes += bytes
	})
}

// found counts sightings.
func (l *ledger) found(seen map[channel.ID]int) {
	if len(seen) == 0 {
		return
	}
	l.change(func() {
		for id, n := range seen {
			l.seen[id] += n
		}
	})
}

// anew counts a sighting each of those channels that were not seen before, and
// of pilots in any case.
func (l *ledger) anew(seen map[channel.ID]int) {
	l.change(func() {
		for id, n := range seen {
			if isPilot := id == channel.PilotBefore || id == channel.PilotAfter; isPilot || l.seen[id] == 0 {
				l.seen[id] += n
			}
		}
	})
}

func (l *ledger) lost(n int) { l.change(func() { l.drops += n }) }

func (l *ledger) pilot(phase channel.ID, n int) { l.change(func() { l.sent[phase] += n }) }

// again counts one more pilot of a phase that has had its own: a second look
// does not stand in for the first.
func (l *ledger) again(phase channel.ID) {
	l.change(func() {
		if l.sent[phase] > 0 {
			l.sent[phase]++
		}
	})
}

type inVain struct{}

// InVain marks the context of an observer that the self-check has made deaf: who
// will hear no pilot need not wait long for one.
func InVain(ctx context.Context) context.Context { return context.WithValue(ctx, inVain{}, true) }

// await returns once every pilot sent in that phase was seen, or nobody
// expects it any more.
func (l *ledger) await(ctx context.Context, phase channel.ID) {
	patience := pilotPatience
	if ctx.Value(inVain{}) != nil {
		patience = vainPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		l.mu.Lock()
		heard, news := l.seen[phase] >= l.sent[phase], l.news
		l.mu.Unlock()
		if heard {
			return
		}
		select {
		case <-news:
		case <-ctx.Done():
			return
		}
	}
}

func (l *ledger) report(sink channel.Sink) Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := Hearing{Sink: sink, Units: l.units, Bytes: l.bytes, Drops: l.drops}
	for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
		h.PilotsSent += max(1, l.sent[phase]) // one is due, sent or not
		h.PilotsHeard += min(l.sent[phase], l.seen[phase])
	}
	return Report{Hearing: h, Observations: observations(sink, l.seen)}
}

// observations lists what was seen, without the pilots, by channel.
func observations(sink channel.Sink, seen map[channel.ID]int) []Observation {
	var out []Observation
	for id, n := range seen {
		if n > 0 && id != channel.PilotBefore && id != channel.PilotAfter {
			out = append(out, Observation{Channel: id, Sink: sink, Sightings: n})
		}
	}
	slices.SortFunc(out, func(a, b Observation) int { return strings.Compare(string(a.Channel), string(b.Channel)) })
	return out
}

// tally counts the hits in one message.
func tally(hits []canary.Hit) map[channel.ID]int {
	if len(hits) == 0 {
		return nil
	}
	out := map[channel.ID]int{}
	for _, h := range hits {
		out[h.ID]++
	}
	return out
}

// most is what several readings of the same bytes saw: a canary that more than
// one of them saw arrived once.
func most(all ...map[channel.ID]int) map[channel.ID]int {
	var out map[channel.ID]int
	for _, seen := range all {
		for id, n := range seen {
			if out == nil {
				out = map[channel.ID]int{}
			}
			out[id] = max(out[id], n)
		}
	}
	return out
}

// beyond is what a second reading of a message saw that the first did not: a
// canary that both saw arrived once.
func beyond(second, first map[channel.ID]int) map[channel.ID]int {
	out := map[channel.ID]int{}
	for id, n := range second {
		if n > first[id] {
			out[id] = n - first[id]
		}
	}
	return out
}
