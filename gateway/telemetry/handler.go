package telemetry

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"time"
)

// handler writes lines of JSON that hold numbers and known words, whatever it is
// given: an attribute that is not of the closed list is left out, and a value of
// another type than its key's is told as unknown.
type handler struct {
	next  slog.Handler
	words words
	weak  Weakness
}

func newHandler(to io.Writer, w words, weak Weakness) slog.Handler {
	return handler{slog.NewJSONHandler(to, &slog.HandlerOptions{Level: weak.level()}), w, weak}
}

func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if h.weak.Unredacted {
		return h.next.Handle(ctx, r)
	}
	message := unknown
	if slices.Contains([]Message{CallEnded, CallPanicked, SpansLost}, Message(r.Message)) {
		message = r.Message
	}
	line := slog.NewRecord(r.Time.Truncate(time.Microsecond), r.Level, message, 0)
	r.Attrs(func(a slog.Attr) bool {
		if a, ok := h.redact(a); ok {
			line.AddAttrs(a)
		}
		return true
	})
	return h.next.Handle(ctx, line)
}

// redact reports whether an attribute may be told, and what of it.
func (h handler) redact(a slog.Attr) (slog.Attr, bool) {
	text, ok := kindOf(a.Key)
	switch kind := a.Value.Kind(); {
	case !ok:
		return a, false
	case text && kind == slog.KindString:
		return slog.String(a.Key, h.words.known(a.Value.String())), true
	case !text && (kind == slog.KindInt64 || kind == slog.KindUint64):
		return a, true
	}
	return slog.String(a.Key, unknown), true
}

// WithAttrs keeps nothing: what is told of a call is told with it.
func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup keeps nothing either: a group's name is a text.
func (h handler) WithGroup(string) slog.Handler { return h }
