package scan_test

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// share is what one part or finder cost.
type share struct {
	name          string
	calls, bytes  int
	views, viewed int
	spent         time.Duration
}

// shares are those of one search, by name and by whether it was the input itself.
type shares struct {
	input int
	all   map[string]*share
}

func (s *shares) of(name string, n int) *share {
	if n != s.input {
		name += " below"
	}
	if s.all[name] == nil {
		s.all[name] = &share{name: name}
	}
	return s.all[name]
}

func (s *shares) measure(name string, b []byte, f func(*share)) {
	one := s.of(name, len(b))
	one.calls++
	one.bytes += len(b)
	began := onCore()
	f(one)
	one.spent += onCore() - began
}

// onCore is the time that this thread had a core.
func onCore() time.Duration {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}

func (s *shares) table(searches, n int) string {
	var out strings.Builder
	rows, sum := []*share{}, time.Duration(0)
	for _, one := range s.all {
		rows, sum = append(rows, one), sum+one.spent
	}
	slices.SortFunc(rows, func(a, b *share) int { return cmp.Compare(b.spent, a.spent) })
	fmt.Fprintf(&out, "all %.0f ns/B of input\n", float64(sum)/float64(searches*n))
	for _, r := range rows[:min(len(rows), 45)] {
		fmt.Fprintf(&out, "%-28s %8.1f ns/B of input  %8.1f ns/B  %7d calls  %9d B  %6d views  %9d B viewed\n", r.name,
			float64(r.spent)/float64(searches*n), float64(r.spent)/float64(max(r.bytes, 1)), r.calls/searches, r.bytes/searches, r.views/searches, r.viewed/searches)
	}
	return out.String()
}

// BenchmarkParts tells what each part and finder costs in a whole search of a
// file without a hit, at the input itself and below it.
func BenchmarkParts(b *testing.B) {
	for _, m := range append(materials(), material{"mixed", mixed}) {
		for _, n := range []int{64 << 10, 1 << 20, 16 << 20} {
			b.Run(fmt.Sprintf("%s/%dKiB", m.name, n>>10), func(b *testing.B) { parts(b, m.make(n)) })
		}
	}
}

func parts(b *testing.B, in []byte) {
	s := &shares{input: len(in), all: map[string]*share{}}
	var wrapped []scan.Part
	for _, p := range scan.AllParts() {
		open := p.Open
		p.Open = func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			s.measure(string(p.Technique), b, func(one *share) {
				open(b, room, func(v layer.View) bool {
					one.views++
					one.viewed += len(v.Bytes)
					return yield(v)
				})
			})
		}
		wrapped = append(wrapped, p)
	}
	secrets, _ := mint(1)
	scanner, err := scan.New(secrets, scan.Options{Workers: 1, Parts: wrapped})
	if err != nil {
		b.Fatal(err)
	}
	scanner.Wrap(func(doubt, number int, f layer.Finder) layer.Finder {
		name := fmt.Sprintf("finder %d of doubt %d", number, doubt)
		return layer.NewFinder(func(b []byte, yield func(layer.Match) bool) {
			s.measure(name, b, func(*share) { f.Find(b, yield) })
		})
	})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		scanner.Bytes(b.Context(), in)
	}
	if os.Getenv("POSTERN_PARTS") != "" {
		fmt.Println(b.Name(), s.table(b.N, len(in)))
	}
}
