package scan

import (
	"context"
	"errors"
	"io"
	"slices"

	"postern/observers/canary/container"
)

// Read searches what a reader gives, and says how many bytes that was. Up to
// Options.Whole bytes are one input. Of what is longer, that much is searched
// first and then windows that overlap: nothing is left out, but what is spread
// over more than a window is not put together, and a layer that goes on beyond
// its window is told as torn where the input begins with it. Whether an archive
// is torn is looked at where it is one input.
func (s *Scanner) Read(ctx context.Context, r io.Reader) (Result, int64, error) {
	b, ended, err := fill(nil, r, s.o.Whole)
	result, read := s.Bytes(ctx, b), int64(len(b))
	if err != nil {
		return result, read, err
	}
	if torn := container.Torn(ctx, b, ended, s.o.Base+s.o.PerByte*len(b)); torn != "" {
		result.Torn, result.Unproven = torn, append(result.Unproven, Torn)
		slices.Sort(result.Unproven)
	}
	for lap := min(overlap, s.o.Window/4); !ended && ctx.Err() == nil; {
		lap = min(lap, len(b))
		b = b[:copy(b, b[len(b)-lap:])]
		if b, ended, err = fill(b, r, lap+s.o.Window); err != nil {
			return result, read + int64(len(b)-lap), err
		}
		if len(b) == lap {
			break
		}
		result = result.and(s.Bytes(ctx, b), read-int64(lap))
		read += int64(len(b) - lap)
	}
	if !ended && ctx.Err() != nil && !slices.Contains(result.Unproven, Time) {
		result.Unproven = append(result.Unproven, Time)
	}
	return result, read, nil
}

const step = 64 << 10 // how much memory is taken before there is anything to read

// fill reads on until there are n bytes, or until the end.
func fill(b []byte, r io.Reader, n int) (out []byte, ended bool, err error) {
	for len(b) < n {
		if len(b) == cap(b) {
			b = slices.Grow(b, min(max(len(b), step), n-len(b)))
		}
		m, err := r.Read(b[len(b):min(cap(b), n)])
		b = b[:len(b)+m]
		if errors.Is(err, io.EOF) {
			return b, true, nil
		}
		if err != nil {
			return b, false, err
		}
	}
	return b, false, nil
}

// and adds what was found in a window that begins at an offset.
func (r Result) and(w Result, at int64) Result {
	for _, h := range w.Hits {
		h.Offset += at
		r.Hits = append(r.Hits, h)
	}
	r.Hits = tidy(r.Hits)
	for _, reason := range w.Unproven {
		if !slices.Contains(r.Unproven, reason) {
			r.Unproven = append(r.Unproven, reason)
		}
	}
	slices.Sort(r.Unproven)
	r.False += w.False
	return r
}
