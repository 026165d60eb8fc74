package scan_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// spending is what a stage took in one search, of the outermost bytes and below.
type spending struct {
	technique          layer.Technique
	root, below        time.Duration
	pieces, bytes, out int // below
	made               int // by all
}

// BenchmarkStages tells which stages a search spends its time in, in nanoseconds
// for each byte of the input.
func BenchmarkStages(b *testing.B) {
	for _, m := range append(materials(), material{"mixed", mixed}) {
		for _, n := range []int{64 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dKiB", m.name, n>>10), func(b *testing.B) { tell(b, m.make(n)) })
		}
	}
}

// cpu is the time that this thread had a core.
func cpu() time.Duration {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}

func tell(b *testing.B, in []byte) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all []*spending
	var parts []scan.Part
	for _, p := range scan.Stages() {
		s := &spending{technique: p.Technique}
		all = append(all, s)
		open := p.Open
		p.Open = func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			began := cpu()
			var own time.Duration
			open(b, room, func(v layer.View) bool {
				paused := cpu()
				s.made += len(v.Bytes)
				more := yield(v)
				own -= cpu() - paused
				return more
			})
			own += cpu() - began
			if len(b) == len(in) && &b[0] == &in[0] {
				s.root += own
			} else {
				s.below += own
				s.pieces++
				s.bytes += len(b)
			}
		}
		parts = append(parts, p)
	}
	search(b, 1, scan.Options{Parts: parts}, in)
	slices.SortFunc(all, func(x, y *spending) int { return cmp.Compare(y.root+y.below, x.root+x.below) })
	var table strings.Builder
	per := float64(len(in)) * float64(b.N)
	sum := spending{}
	for _, s := range all {
		sum.root, sum.below = sum.root+s.root, sum.below+s.below
	}
	fmt.Fprintf(&table, "\n%-18s root %6.1f  below %7.1f ns/B", "all stages", float64(sum.root)/per, float64(sum.below)/per)
	for _, s := range all[:24] {
		fmt.Fprintf(&table, "\n%-18s root %6.2f  below %7.2f  (%6d pieces, %6.2f B/B, %5.1f ns/B of them)  made %5.2f B/B", s.technique, float64(s.root)/per, float64(s.below)/per,
			s.pieces/b.N, float64(s.bytes)/per, float64(s.below)/float64(max(s.bytes, 1)), float64(s.made)/per)
	}
	b.Log(table.String())
}
