package harness

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/harness/residual"
)

// A reader that decodes nothing would make a channel look shut. Those that
// depend on time are read in the campaign, with nothing beside them.
var _ = Describe("a residual channel", Ordered, Label("docker", "residual"), func() {
	var l *lab

	BeforeAll(func(ctx SpecContext) {
		var err error
		l, err = openLab(ctx, Options{}.withDefaults())
		if reason := cannot(err); reason != "" {
			Skip(reason)
		}
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.close)
	})

	for _, r := range channel.Residuals() {
		way := residual.Ways()[r.ID]
		if way.Timed {
			continue
		}
		It("is read without a mistake: "+string(r.ID), func(ctx SpecContext) {
			m, err := l.measure(ctx, r.ID, confine.TierReference, false)
			Expect(err).NotTo(HaveOccurred())
			sent, err := m.canaries.secret(r.ID)
			Expect(err).NotTo(HaveOccurred())
			Expect(m.heard).NotTo(BeEmpty())
			Expect(residual.Errors(sent, m.heard)).To(BeZero())
		})
	}
})
