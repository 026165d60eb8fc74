package docker

import (
	"slices"
	"testing"

	"postern/gateway/confine"
)

// The hardened profile passes every look, lives and ends as told.
func TestHardened(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	want := confine.Hardened()
	id := created(t, e, img, want)
	if got := Admit(want, img, inspected(t, e, id)); got != nil {
		t.Errorf("the created container is refused: %v", got)
	}
	if got := controls(Admit(confine.Reference(), img, inspected(t, e, id))); !slices.Contains(got, confine.SeccompDefault) {
		t.Errorf("a hardened container where the reference is wanted: %v", got)
	}
	attached, err := e.Attach(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Close()
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := Admit(want, img, inspected(t, e, id)); got != nil {
		t.Errorf("the running container is refused: %v", got)
	}
	if got := confine.AdmitProcess(want, processed(t, e, id)); got != nil {
		t.Errorf("the process is refused: %v", got)
	}
	echoes(t, attached)
	if code, err := e.Wait(t.Context(), id); err != nil || code != 0 {
		t.Errorf("the container ended with %d, %v; want 0 at the end of its input", code, err)
	}
}

// Each addition taken away is refused for its own control, and the container
// would have run.
func TestHardenedMinusEach(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	minus := func(control confine.Control, change func(p *confine.Profile)) {
		t.Run(string(control), func(t *testing.T) {
			p := confine.Hardened()
			change(&p)
			id := created(t, e, img, p)
			if got := controls(Admit(confine.Required(p), img, inspected(t, e, id))); !slices.Equal(got, []confine.Control{control}) {
				t.Errorf("refused for %v", got)
			}
			if err := e.Start(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			removed(t, e, id)
		})
	}
	all := confine.DenyAll()
	for i, g := range all.Groups() {
		minus(g.Control, func(p *confine.Profile) { *p.Deny.Groups()[i].On = false })
	}
	minus(confine.SeccompDefault, func(p *confine.Profile) { p.Seccomp = "unconfined" })
	minus(confine.CoreZero, func(p *confine.Profile) { p.Core = confine.CoreLimit{} })
	minus(confine.ShmDefault, func(p *confine.Profile) { p.ShmSize = 0 })
	minus(confine.CPUExact, func(p *confine.Profile) { p.CPU.Nano = 0 })
	for i := range confine.Hardened().Ulimits {
		minus(confine.UlimitsExact, func(p *confine.Profile) { p.Ulimits = slices.Delete(p.Ulimits, i, i+1) })
	}
}

// Every set of groups reads back as itself, and nothing else does.
func TestFiltersReadBack(t *testing.T) {
	count := len((&confine.Deny{}).Groups())
	for set := range 1 << count {
		if set%37 != 0 && set&(set-1) != 0 && set != 1<<count-1 {
			continue // a sample, all singles, none and all
		}
		var d confine.Deny
		for i, g := range d.Groups() {
			*g.On = set>>i&1 == 1
		}
		text := seccompFilter(d)
		if got, ok := readFilter(text); !ok || got != d {
			t.Fatalf("%+v reads back as %+v, %t", d, got, ok)
		}
		for _, other := range []string{"", "unconfined", text + " ", text[1:], `{"defaultAction":"SCMP_ACT_ALLOW"}`} {
			if _, ok := readFilter(other); ok {
				t.Fatalf("a filter of %d bytes counts as one of ours", len(other))
			}
		}
	}
}

func BenchmarkReadFilter(b *testing.B) {
	text := seccompFilter(confine.DenyAll())
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := readFilter(text); !ok {
			b.Fatal("not ours")
		}
	}
}
