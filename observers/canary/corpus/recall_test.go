package corpus_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/observers/canary/corpus"
	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
)

const decoys = 20 // canaries that are nowhere, looked for beside the one that is

// bars are the least share of the recoverable samples of a tier that is found;
// tier 4 is only reported.
var bars = map[int]float64{1: 0.98, 2: 0.92, 3: 0.85}

const partialBar = 0.90

// TestRecall measures how much of the corpus is found. One canary is hidden, or
// three where POSTERN_RECALL is "full". POSTERN_RECALL_ONLY narrows it to the
// techniques that begin with one of some words, as "hex,base64/twice,benign/",
// and tells what became of each.
func TestRecall(t *testing.T) {
	if os.Getenv("POSTERN_RECALL") == "" {
		t.Skip("the whole takes minutes: POSTERN_RECALL=1 runs it with one canary, POSTERN_RECALL=full with three")
	}
	canaries := 1
	if os.Getenv("POSTERN_RECALL") == "full" {
		canaries = 3
	}
	r := newRecall()
	for seed := range uint64(canaries) {
		secrets := canariesOf(seed + 1)
		scanner, err := scan.New(secrets, scan.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.run(t, scanner, only(corpus.All(seed+1, string(secrets[0].Text()))))
		r.run(t, scanner, only(corpus.Benign(seed+1)))
	}
	if len(r.each) == 0 {
		t.Fatal("POSTERN_RECALL_ONLY names no technique")
	}
	r.log(t)
	r.judge(t)
}

// TestRecallOfSome measures a part of the same that takes seconds: any stage that
// is lost shows in it sooner or later, and a search that finds nothing at once.
func TestRecallOfSome(t *testing.T) {
	secrets := canariesOf(1)
	scanner, err := scan.New(secrets, scan.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := newRecall()
	r.run(t, scanner, every(part, slices.DeleteFunc(corpus.All(1, string(secrets[0].Text())), func(s corpus.Sample) bool {
		return s.Label != corpus.Recoverable || s.Tier > 3
	})))
	r.run(t, scanner, every(part, corpus.Benign(1)))
	found, of := 0, 0
	for tier := range bars {
		found, of = found+r.tier(tier).found, of+r.tier(tier).of
	}
	if s := (share{found, of}); s.of < 10 || s.part() < partialBar {
		t.Errorf("found %v, not %.0f %%; missed: %v", s, 100*partialBar, r.missed)
	}
	if len(r.wrong) > 0 || r.label("").of == 0 {
		t.Errorf("%d of %d benign samples, and a hit of what is not there: %v", r.label("").found, r.label("").of, r.wrong)
	}
}

const part = 80 // one sample of so many

func every(n int, all []corpus.Sample) (some []corpus.Sample) {
	for i := n / 2; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// canariesOf are the one that is hidden, and the decoys behind it.
func canariesOf(seed uint64) []secret.Secret {
	chance := rand.New(rand.NewPCG(seed, 0x7265_6361_6c6c))
	var out []secret.Secret
	for range 1 + decoys {
		raw := make([]byte, 16)
		for i := range raw {
			raw[i] = byte(chance.Uint32())
		}
		out = append(out, secret.New([]byte(hex.EncodeToString(raw)), raw))
	}
	return out
}

// narrowed are the beginnings of the techniques that are looked at, if not all.
func narrowed() []string {
	return strings.FieldsFunc(os.Getenv("POSTERN_RECALL_ONLY"), func(r rune) bool { return r == ',' })
}

func only(all []corpus.Sample) []corpus.Sample {
	starts := narrowed()
	return slices.DeleteFunc(all, func(s corpus.Sample) bool {
		return len(starts) > 0 && !slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(s.Technique, start) })
	})
}

// share is a part of some samples.
type share struct{ found, of int }

func (s share) part() float64 { return float64(s.found) / float64(max(s.of, 1)) }

func (s share) String() string { return fmt.Sprintf("%d/%d (%.1f %%)", s.found, s.of, 100*s.part()) }

// recall counts what was found, by kinds of sample.
type recall struct {
	mu     sync.Mutex
	tiers  map[int]*share            // recoverable
	groups map[string]map[int]*share // recoverable, by tier
	labels map[string]*share
	whole  share    // recoverable, with all bits of it in one hit
	clean  int      // missed, and the search called it clean
	missed []string // techniques
	wrong  []string // techniques of benign or keyed samples with a hit, and of any with a hit of a decoy
	slow   []string // techniques that took more than a second
	each   []string // a line a sample
}

func newRecall() *recall {
	return &recall{tiers: map[int]*share{}, groups: map[string]map[int]*share{}, labels: map[string]*share{}}
}

func (r *recall) run(t *testing.T, scanner *scan.Scanner, samples []corpus.Sample) {
	var wait sync.WaitGroup
	queue := make(chan corpus.Sample)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for s := range queue {
				began := time.Now()
				r.count(s, scanner.Bytes(t.Context(), s.Bytes), time.Since(began))
			}
		})
	}
	for _, s := range samples {
		queue <- s
	}
	close(queue)
	wait.Wait()
}

func (r *recall) count(s corpus.Sample, result scan.Result, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, whole, wrong := false, false, false
	for _, h := range result.Hits {
		found = found || h.Secret == 0
		whole = whole || h.Secret == 0 && h.Class == scan.Certain
		wrong = wrong || h.Secret > 0
	}
	if wrong || found && (s.Label == "" || s.Label == corpus.Keyed) {
		r.wrong = append(r.wrong, s.Technique)
	}
	if took > time.Second {
		r.slow = append(r.slow, fmt.Sprintf("%s %.1fs", s.Technique, took.Seconds()))
	}
	best := "-"
	if len(result.Hits) > 0 {
		best = fmt.Sprintf("%s %v %d", result.Hits[0].Technique, result.Hits[0].Class, result.Hits[0].Bits)
	}
	r.each = append(r.each, fmt.Sprintf("%-40s %d %-11s %5d ms  %s %v", s.Technique, s.Tier, s.Label, took.Milliseconds(), best, result.Unproven))
	add(r.labels, s.Label, found)
	if s.Label != corpus.Recoverable && s.Label != corpus.Partial {
		return
	}
	if !found {
		r.missed = append(r.missed, s.Technique)
		if len(result.Unproven) == 0 {
			r.clean++
		}
	}
	if s.Label == corpus.Recoverable {
		r.whole.of++
		if whole {
			r.whole.found++
		}
		add(r.tiers, s.Tier, found)
		if r.groups[s.Group] == nil {
			r.groups[s.Group] = map[int]*share{}
		}
		add(r.groups[s.Group], s.Tier, found)
	}
}

func add[K comparable](table map[K]*share, key K, found bool) {
	if table[key] == nil {
		table[key] = &share{}
	}
	table[key].of++
	if found {
		table[key].found++
	}
}

func (r *recall) tier(n int) share { return of(r.tiers, n) }

func (r *recall) label(label string) share { return of(r.labels, label) }

func of[K comparable](table map[K]*share, key K) share {
	if s := table[key]; s != nil {
		return *s
	}
	return share{}
}

func (r *recall) log(t *testing.T) {
	if len(narrowed()) > 0 {
		t.Log("each:\n" + strings.Join(slices.Sorted(slices.Values(r.each)), "\n"))
	}
	for _, g := range corpus.Groups() {
		line := fmt.Sprintf("%-15s", g)
		for tier := 1; tier <= 4; tier++ {
			if s := r.groups[g][tier]; s != nil {
				line += fmt.Sprintf("  tier %d %8s", tier, fmt.Sprintf("%d/%d", s.found, s.of))
			} else {
				line += "                 "
			}
		}
		t.Log(line)
	}
	for tier := 1; tier <= 4; tier++ {
		t.Logf("tier %d: %v", tier, r.tier(tier))
	}
	t.Logf("partial %v, keyed %v, destroyed %v, benign %v", r.label(corpus.Partial), r.label(corpus.Keyed), r.label(corpus.Destroyed), r.label(""))
	t.Logf("with all bits in one hit: %v; missed and called clean: %d of %d", r.whole, r.clean, len(r.missed))
	for _, list := range []struct {
		what  string
		names []string
	}{{"missed", r.missed}, {"false", r.wrong}, {"slow", r.slow}} {
		slices.Sort(list.names)
		t.Logf("%s: %s", list.what, strings.Join(slices.Compact(list.names), " "))
	}
}

func (r *recall) judge(t *testing.T) {
	for tier, bar := range bars {
		if s := r.tier(tier); s.of > 0 && s.part() < bar {
			t.Errorf("tier %d: found %v, not %.0f %%", tier, s, 100*bar)
		}
	}
	if s := r.label(corpus.Partial); s.of > 0 && s.part() < partialBar {
		t.Errorf("partial: found %v, not %.0f %%", s, 100*partialBar)
	}
	if len(r.wrong) > 0 {
		t.Errorf("%d samples with a hit of what is not in them", len(r.wrong))
	}
}
