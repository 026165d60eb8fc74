package confine

import "io"

// Attached is the standard streams of an agent.
type Attached struct {
	Stdin  io.WriteCloser // closing it ends the agent's input and nothing else
	Output io.Reader      // stdout and stderr in the Engine's multiplexed form (stdcopy)
	Close  func() error   // ends both
}
