package harness

import (
	"fmt"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/harness/residual"
)

var _ = Describe("residual channels", Ordered, Label("docker", "residual"), func() {
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
		It("measures "+string(r.ID), func(ctx SpecContext) {
			m, err := l.measure(ctx, r.ID, confine.TierReference)
			Expect(err).NotTo(HaveOccurred())
			sent, err := m.canaries.secret(r.ID)
			Expect(err).NotTo(HaveOccurred())
			wrong := residual.Errors(sent, m.heard)
			fmt.Println(r.ID, len(m.heard), wrong, m.took.Milliseconds())
			Expect(m.heard).NotTo(BeEmpty())
		})
	}
})
