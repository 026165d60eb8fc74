// Package observers listens at every sink, outside the agent, for canaries.
//
// An observer reports numbers and closed words, never bytes. It must prove
// that it could hear: pilots before and after, and a count of what it dropped.
// A collection that failed is an error, never "nothing found".
package observers

import (
	"context"

	"postern/fixtures/channel"
)

// Observation says that the canary of one channel was seen at one sink.
type Observation struct {
	Channel   channel.ID   // whose canary it was
	Sink      channel.Sink // where it arrived
	Sightings int          // how often, in any encoding; > 0
}

// Hearing is an observer's evidence about itself.
type Hearing struct {
	Sink        channel.Sink
	PilotsSent  int   // pilots sent through the observer's own path; a phase without one counts one
	PilotsHeard int   // pilots that it saw
	Units       int   // connections, datagrams, files or records read
	Bytes       int64 // bytes scanned
	Drops       int   // units known to be lost or cut short
}

// Sound reports whether silence at this observer means anything: a pilot
// before and one after the trial were sent and heard, and nothing was dropped.
func (h Hearing) Sound() bool {
	return h.PilotsSent >= 2 && h.PilotsHeard == h.PilotsSent && h.Drops == 0
}

// Report is all that one observer says of one trial.
type Report struct {
	Hearing      Hearing
	Observations []Observation // one a channel seen, in channel order; pilots are not among them
}

// Observer listens at one sink for the length of one trial.
type Observer interface {
	// Sink says where it listens.
	Sink() channel.Sink
	// Pilot sends the pilot of a phase (channel.PilotBefore or PilotAfter)
	// through the observer's own path and waits, within ctx, until it was heard. A
	// pilot that is not heard is no error: Collect counts it.
	Pilot(ctx context.Context, phase channel.ID) error
	// Collect stops listening, reads what is left, and reports. An error
	// means that it could not look.
	Collect(ctx context.Context) (Report, error)
	// Close frees what the observer holds; safe after Collect and twice.
	Close() error
}

// Attached is an observer that looks into a container.
type Attached interface {
	Observer
	// Attach names the container by its full ID, before the first pilot.
	Attach(container string)
}

// Living is an observer that looks at the processes of a container while they
// live. Its pilots are sent once the container runs, and once it has looked.
type Living interface {
	Observer
	// Enter names the container and its first process in the host's numbering,
	// before the first pilot.
	Enter(container string, pid int)
	// Look reads what is there to be seen while the agent, which has tried
	// everything, waits for an answer. Collect reports what it saw.
	Look(ctx context.Context) error
}
