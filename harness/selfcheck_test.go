package harness

import (
	"fmt"
	"math/rand/v2"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/reports"
)

// Each observer is made deaf once, and the protected trial must then prove
// nothing: a campaign that stays green with a deaf observer proves nothing ever.
var _ = Describe("the self-check", Ordered, Label("docker", "self-check"), func() {
	trials := map[channel.Sink]reports.Trial{}
	mute := map[channel.ID]reports.Trial{}
	muted := some(probes(confine.TierReference))

	BeforeAll(func(ctx SpecContext) {
		l, err := openLab(ctx, Options{}.withDefaults())
		if reason := cannot(err); reason != "" {
			Skip(reason)
		}
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.close)
		var specs []Spec
		for _, sink := range sinks(confine.TierReference) {
			s := Plan{}.protected("protected/1", "")
			s.ID, s.Deaf = "protected/"+string(sink), sink
			specs = append(specs, s)
		}
		for _, id := range muted {
			s := Plan{}.protected("protected/1", "")
			s.ID, s.Mute = "protected/"+string(id), id
			specs = append(specs, s)
		}
		rows, err := l.all(ctx, Options{Progress: tellErrors}.withDefaults(), specs)
		Expect(err).NotTo(HaveOccurred())
		for i, row := range rows {
			trials[specs[i].Deaf] = row
			mute[specs[i].Mute] = row
		}
	})

	for _, sink := range sinks(confine.TierReference) {
		It("finds a protected trial inconclusive while the observer at "+string(sink)+" is deaf", func() {
			t := trials[sink]
			Expect(t.Verdict).To(Equal(reports.Inconclusive))
			Expect(t.Reasons).To(ContainElement("deaf"))
			Expect(unheard(t)).To(Equal([]string{string(sink)}), trouble(t))
			Expect(asRequired(t)).To(BeFalse())
		})
	}

	for i, id := range muted {
		It(fmt.Sprintf("finds a protected trial inconclusive without one of its probes, %d", i+1), func() {
			t := mute[id]
			Expect(t.Verdict).To(Equal(reports.Inconclusive), string(id))
			Expect(t.Reasons).To(ContainElement("not-attempted"), trouble(t))
			Expect(t.Outcome).NotTo(Equal(outcomeError), trouble(t))
		})
	}
})

// unheard lists the sinks whose pilots were not all heard.
func unheard(t reports.Trial) (sinks []string) {
	for _, h := range t.Hearings {
		if h.PilotsHeard < h.PilotsSent {
			sinks = append(sinks, h.Sink)
		}
	}
	return sinks
}

// some picks a few, others on another day: each costs a container. All of them
// are taken where POSTERN_SELFCHECK is "full".
func some(ids []channel.ID) []channel.ID {
	if os.Getenv("POSTERN_SELFCHECK") == "full" {
		return ids
	}
	var picked []channel.ID
	for _, i := range rand.Perm(len(ids))[:6] {
		picked = append(picked, ids[i])
	}
	return picked
}
