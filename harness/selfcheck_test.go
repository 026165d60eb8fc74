package harness

import (
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
		rows, err := l.all(ctx, Options{}.withDefaults(), specs)
		Expect(err).NotTo(HaveOccurred())
		for i, row := range rows {
			trials[specs[i].Deaf] = row
		}
	})

	for _, sink := range sinks(confine.TierReference) {
		It("finds a protected trial inconclusive while the observer at "+string(sink)+" is deaf", func() {
			t := trials[sink]
			Expect(t.Verdict).To(Equal(reports.Inconclusive))
			Expect(t.Reasons).To(ContainElement("deaf"))
			Expect(asRequired(t)).To(BeFalse())
		})
	}
})
