// Package residual reads what stays open in the protected profile: it decodes
// a canary from outside, by somebody's means, without knowing it.
//
// It promises nothing about what it does not hear: a residual channel is
// measured, never judged. What was decoded is bits, compared and thrown away.
package residual

import (
	"context"
	"math"
	"time"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
)

// Target is the container whose agent sends.
type Target struct {
	API       *client.Client
	Container string
	PID       int           // of its first process, in the host's numbering
	Audit     string        // path of the session's audit log
	Quantum   time.Duration // at multiples of which the session takes calls; 0 for none
}

// Bits are what was decoded, the first bit first.
type Bits []bool

// Receiver decodes what the agent sends while it sends it. Hearing nothing is
// no error: that it could not look is one.
type Receiver func(ctx context.Context, t Target) (Bits, error)

// When is the moment at which a channel is read.
type When int

// The moments.
const (
	WhileItLives When = iota // from the moment at which the agent waits, or begins to send
	FromTheStart             // before the agent has anything to send
	AfterItEnded             // the container has stopped and is still there
)

// Way is how one channel is read.
type Way struct {
	When    When
	Receive Receiver
	Timed   bool // what else the machine does disturbs it
	Size    int  // bytes that the way has room for; those of a canary where 0
}

// Bytes is how much of a canary is sent.
func (w Way) Bytes() int {
	if w.Size > 0 {
		return w.Size
	}
	return messageBits / 8
}

// Ways lists how each channel is read.
func Ways() map[channel.ID]Way {
	return map[channel.ID]Way{
		channel.ResidualArgvEngine: {Receive: top},
		channel.ResidualArgvHost:   {Receive: commandLines},
		channel.ResidualComm:       {Receive: threadNames},
		channel.ResidualShm:        {Receive: sharedMemory},
		channel.ResidualExec:       {Receive: execute},
		channel.ResidualAttach:     {When: FromTheStart, Receive: attached},
		channel.ResidualLocks:      {Receive: locks},
		channel.ResidualVsock:      {Receive: ports},
		channel.ResidualCrash:      {Receive: kernelLog},
		channel.ResidualExit:       {When: AfterItEnded, Receive: exitCode, Size: 1},
		channel.ResidualCalls:      {When: AfterItEnded, Receive: decisions},
		channel.ResidualPace:       {When: AfterItEnded, Receive: pace, Size: pacedBytes, Timed: true},
		channel.ResidualCount:      {Receive: processes, Timed: true},
		channel.ResidualMemory:     {Receive: memory, Timed: true},
		channel.ResidualShmem:      {Receive: sharedOfAll, Timed: true},
		channel.ResidualCPU:        {Receive: processorTime, Timed: true},
	}
}

// Errors counts the bits of heard that differ from what was sent. Bits beyond
// what was sent are wrong.
func Errors(sent []byte, heard Bits) (wrong int) {
	for i, bit := range heard {
		if i >= 8*len(sent) || bit != (sent[i/8]>>(7-i%8)&1 == 1) {
			wrong++
		}
	}
	return wrong
}

// Information is how many bits somebody knows who heard that many, of which
// some are wrong: what a binary symmetric channel carries (Shannon 1948).
// Guessing carries nothing.
func Information(heard, wrong int) int {
	if heard == 0 {
		return 0
	}
	e := float64(wrong) / float64(heard)
	if e >= 0.5 {
		return 0
	}
	entropy := 0.0
	for _, p := range []float64{e, 1 - e} {
		if p > 0 {
			entropy -= p * math.Log2(p)
		}
	}
	return int(float64(heard) * (1 - entropy))
}

// bitsOf takes numbers apart, the highest bit first.
func bitsOf(values []int, width int) Bits {
	var out Bits
	for _, v := range values {
		for at := width - 1; at >= 0; at-- {
			out = append(out, v>>at&1 == 1)
		}
	}
	return out
}

func bytesToBits(b []byte) Bits {
	values := make([]int, len(b))
	for i, x := range b {
		values[i] = int(x)
	}
	return bitsOf(values, 8)
}
