package residual

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"
)

// attached listens to stderr as one more client of the container's, until a
// canary was heard or ctx ends.
func attached(ctx context.Context, t Target) (Bits, error) {
	a, err := t.API.ContainerAttach(ctx, t.Container, container.AttachOptions{Stream: true, Stderr: true})
	if err != nil {
		return nil, fmt.Errorf("attaching to the container a second time: %w", err)
	}
	var once sync.Once
	cut := func() { once.Do(a.Close) }
	defer cut()
	defer context.AfterFunc(ctx, cut)()
	var heard listener
	stdcopy.StdCopy(io.Discard, &heard, io.LimitReader(a.Reader, maxRead)) // ends when a canary is heard, or is cut
	return heard.bits, nil
}

// listener looks for a canary in what is written to it.
type listener struct {
	text []byte
	bits Bits
}

func (l *listener) Write(b []byte) (int, error) {
	l.text = append(l.text, b...)
	if l.bits = inText(string(l.text)); l.bits != nil {
		return 0, io.EOF
	}
	return len(b), nil
}
