package harness

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/containerd/errdefs"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/audit"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/mutants"
	"postern/observers"
	"postern/reports"
)

// What a session promises is seen here from outside, with the campaign's own
// parts: containers, tool server, observers.
var _ = Describe("a session", Ordered, Label("docker"), func() {
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

	// begin prepares a session of a subject, with all observers listening.
	begin := func(ctx SpecContext, id string, mode plan.Mode, apply func(*gateway.Config, mutants.Site)) (*trial, gateway.Session) {
		GinkgoHelper()
		t := l.trial(Spec{ID: id, Mode: mode, Apply: apply}, new(reports.Trial))
		var err error
		t.canaries, err = l.mint(id, confine.TierReference)
		Expect(err).NotTo(HaveOccurred())
		t.dir, err = os.MkdirTemp(l.dir, "spec-")
		t.audit = t.dir + "/audit.sqlite"
		Expect(err).NotTo(HaveOccurred())
		t.posts, err = t.listen()
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(t.posts.close)
		initial, err := t.canaries.initialFrame(plan.Plan{Mode: mode}, t.posts.addresses)
		Expect(err).NotTo(HaveOccurred())
		config, err := t.enrolled(ctx)
		Expect(err).NotTo(HaveOccurred())
		return t, gateway.Session{Config: config, Backend: gateway.Docker{Engine: l.engine}, Watchdog: []string{l.binaries.Gateway, gateway.WatchdogCommand}, Initial: initial, Labels: l.labels(t.canaries)}
	}
	gone := func(ctx context.Context, id string) {
		GinkgoHelper()
		_, err := l.api.ContainerInspect(ctx, id)
		Expect(errdefs.IsNotFound(err)).To(BeTrue(), "the container is still there")
	}
	arrivals := func(ctx SpecContext, t *trial) (all []observers.Observation) {
		GinkgoHelper()
		for _, o := range t.posts.listeners {
			report, err := o.Collect(ctx)
			Expect(err).NotTo(HaveOccurred())
			all = append(all, report.Observations...)
		}
		return all
	}

	It("refuses a weakened container for its control, hands it nothing, and removes it", func(ctx SpecContext) {
		t, s := begin(ctx, "spec/refused", plan.ModeNormal, func(c *gateway.Config, _ mutants.Site) { c.Profile.Log.Driver = "json-file" })
		result, err := s.Run(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(result.Outcome).To(Equal(bridge.AdmissionRefused))
		Expect(result.Refusals).To(Equal([]confine.Refusal{{Control: confine.LogNone, Stage: confine.StageCreated}}))
		Expect(result.Exchange).To(Equal(bridge.Result{}), "the agent was spoken to")
		gone(ctx, result.Container)
		Expect(arrivals(ctx, t)).To(BeEmpty())
	})

	It("refuses an image that is named by a tag", func(ctx SpecContext) {
		_, s := begin(ctx, "spec/tag", plan.ModeNormal, func(c *gateway.Config, _ mutants.Site) { c.Image = "agent:latest" })
		result, err := s.Run(ctx)
		Expect(err).To(HaveOccurred())
		Expect(result.Container).To(BeEmpty())
	})

	It("does not begin when the tool server is not the measured one", func(ctx SpecContext) {
		t, s := begin(ctx, "spec/measure", plan.ModeNormal, func(c *gateway.Config, _ mutants.Site) { c.Upstream.SHA256 = "00" + c.Upstream.SHA256[2:] })
		result, err := s.Run(ctx)
		Expect(err).To(HaveOccurred())
		gone(ctx, result.Container)
		Expect(arrivals(ctx, t)).To(BeEmpty())
	})

	It("removes the container when it is cancelled in the middle", func(ctx SpecContext) {
		t, s := begin(ctx, "spec/cancel", plan.ModeStall, nil)
		cancelled, cancel := context.WithCancel(ctx)
		defer cancel()
		s.Admitted = func(*gateway.Gateway) { time.AfterFunc(100*time.Millisecond, cancel) }
		result, err := s.Run(cancelled)
		Expect(errors.Is(err, context.Canceled)).To(BeTrue())
		gone(ctx, result.Container)
		Expect(arrivals(ctx, t)).To(BeEmpty())
	})

	It("writes every decision into an audit chain that holds no canary", func(ctx SpecContext) {
		t, s := begin(ctx, "spec/audit", plan.ModeNormal, nil)
		result, err := s.Run(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(result.Outcome).To(Equal(bridge.Completed))
		report, err := audit.Verify(ctx, s.Config.Audit, result.Audit)
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Rows).To(BeEquivalentTo(4), "permitted, released, denied, closed")
		Expect(report.Unfinished).To(BeZero())
		Expect(report.Head).To(Equal(result.Audit))
		seen := arrivals(ctx, t)
		Expect(seen).To(HaveLen(1))
		Expect(seen[0].Channel).To(Equal(channel.ToolPermitted))
		files, err := os.ReadDir(t.dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, f := range files {
			if f.IsDir() {
				continue // the tool sink's socket
			}
			bytes, err := os.ReadFile(t.dir + "/" + f.Name())
			Expect(err).NotTo(HaveOccurred())
			Expect(t.canaries.watch.Scan(bytes)).To(BeEmpty(), "a canary is in the audit's files")
		}
	})
})
