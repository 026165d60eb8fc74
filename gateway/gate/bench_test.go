package gate

import (
	"context"
	"testing"
)

func BenchmarkEnterLeave(b *testing.B) {
	for _, c := range []struct {
		name string
		ctx  func() (context.Context, context.CancelFunc)
	}{
		{"background", func() (context.Context, context.CancelFunc) { return context.Background(), func() {} }},
		{"cancelable", func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			ctx, cancel := c.ctx()
			defer cancel()
			g := open(b, Options{})
			update(b, g, 1, publish)
			b.ReportAllocs()
			for b.Loop() {
				leave, err := g.Enter(ctx, deliver)
				if err != nil {
					b.Fatal(err)
				}
				leave()
			}
		})
	}
}

func BenchmarkEnterLeaveParallel(b *testing.B) {
	g := open(b, Options{})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			leave, err := g.Enter(context.Background(), deliver)
			if err != nil {
				b.Error(err)
				return
			}
			leave()
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		name    string
		options Options
	}{
		{"memory", Options{}},
		{"durable", Options{Path: statePath(b), Create: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := open(b, c.options)
			revision := g.Status().Revision
			for b.Loop() {
				revision++
				update(b, g, revision, publish)
			}
		})
	}
}
