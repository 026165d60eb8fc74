package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"postern/gateway/confine"
	"postern/reports"
)

// campaign is what the suite's one campaign showed.
type campaign struct {
	Cannot   string // why this machine cannot; then no trial was run
	Evidence reports.Evidence
}

var (
	shown  campaign
	wanted = map[string]bool{} // trials whose specs the filters let through
)

func TestCampaign(t *testing.T) {
	RegisterFailHandler(Fail)
	if _, err := part(); err != nil {
		t.Fatalf("POSTERN_SHARD: %v", err)
	}
	for _, r := range PreviewSpecs("Postern").SpecReports {
		if r.State == types.SpecStatePassed {
			wanted[r.LeafNodeText] = true
		}
	}
	RunSpecs(t, "Postern")
}

// The trials run four at a time, ahead of the specs that speak of them, since a
// spec alone would leave the Engine idle. A parallel suite shares the one
// campaign. POSTERN_EVIDENCE names the directory that gets the bundle.
var _ = SynchronizedBeforeSuite(func(ctx SpecContext) []byte {
	var c campaign
	if slices.ContainsFunc(append(trials(), Spec{ID: rulesID}), isWanted) {
		c = runWanted(ctx)
	}
	encoded, err := json.Marshal(c)
	Expect(err).NotTo(HaveOccurred())
	return encoded
}, func(encoded []byte) {
	Expect(json.Unmarshal(encoded, &shown)).To(Succeed())
})

// part lists the trials that this suite runs: those of the reference campaign
// on this machine, or the part of them that POSTERN_SHARD names, as "1/4".
func part() (specs []Spec, err error) {
	shard, shards := 1, 1
	if text := os.Getenv("POSTERN_SHARD"); text != "" {
		shard, shards, err = ParseShard(text)
	}
	for i, s := range PlanHere(1, confine.TierReference).Specs() {
		if err == nil && inShard(i, shard, shards) {
			specs = append(specs, s)
		}
	}
	return specs, err
}

func trials() []Spec {
	specs, _ := part() // TestCampaign says what is wrong with it
	return specs
}

// isWanted also asks whether the trial has a spec at all: there are reports
// without a sentence, such as that of what runs before the suite.
func isWanted(s Spec) bool {
	sentence, has := sentences()[s.ID]
	return has && wanted[sentence]
}

// runWanted runs the campaign as far as the filters let it.
func runWanted(ctx SpecContext) campaign {
	options := Options{
		Out:      os.Getenv("POSTERN_EVIDENCE"),
		Select:   isWanted,
		Seed:     GinkgoRandomSeed(),
		Progress: tellErrors,
	}
	evidence, err := Run(ctx, options)
	if reason := cannot(err); reason != "" {
		if options.Out != "" {
			_, err := Unable(ctx, options)
			Expect(err).NotTo(HaveOccurred())
		}
		fmt.Fprintln(os.Stderr, "the specs that need containers are skipped, because this machine cannot:", reason)
		return campaign{Cannot: reason}
	}
	Expect(err).NotTo(HaveOccurred())
	return campaign{Evidence: evidence}
}

// troubles are why trials could not be led to their ends, by their ids.
var troubles sync.Map

func tellErrors(e Event) {
	switch {
	case e.Err != nil && e.Finished != nil:
		troubles.Store(e.Finished.ID, e.Err)
	case e.Err != nil:
		fmt.Fprintln(os.Stderr, e.Err) // of a mutant of what decides, which it names
	}
}

// trouble is what to say of a trial that is not as it should be.
func trouble(t reports.Trial) string {
	err, _ := troubles.Load(t.ID)
	return fmt.Sprintf("%s %s %s: %s; trouble: %v", t.Verdict, t.Status, t.Outcome, strings.Join(Explain(t), "; "), err)
}

// cannot is why this machine cannot run a container, if that is the error. A
// machine that must be able to, and is not, fails instead.
func cannot(err error) string {
	var c *Cannot
	if errors.As(err, &c) && !strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
		return c.Reason
	}
	return ""
}

// sentences is what each trial's spec is called, by the trial's id.
func sentences() map[string]string {
	all := map[string]string{}
	for _, s := range trials() {
		all[s.ID] = s.ID + ": " + s.Why
	}
	all[rulesID] = rulesID + ": every mutant of what decides is killed or proved equivalent"
	return all
}

func trialOf(e reports.Evidence, id string) reports.Trial {
	GinkgoHelper()
	for _, t := range e.Trials {
		if t.ID == id {
			return t
		}
	}
	Fail("this trial did not run: " + id)
	return reports.Trial{}
}

var _ = Describe("the campaign", func() {
	for _, s := range trials() {
		It(sentences()[s.ID], Label(string(s.Kind), "docker"), func() {
			if shown.Cannot != "" {
				Skip(shown.Cannot)
			}
			t := trialOf(shown.Evidence, s.ID)
			if inapplicable(t) {
				Skip("not applicable: " + t.Reason)
			}
			Expect(asRequired(t)).To(BeTrue(), trouble(t))
		})
	}

	It(sentences()[rulesID], Label(string(Mutation), "docker"), func() {
		if shown.Cannot != "" {
			Skip(shown.Cannot)
		}
		Expect(shown.Evidence.Rules.Mutants).NotTo(BeEmpty())
		for _, r := range shown.Evidence.Rules.Mutants {
			Expect(r.AsForetold()).To(BeTrue(), fmt.Sprintf("%s: %s %+v", r.Mutant, r.Status, r.Drives))
		}
	})

	It("runs no trial but its own", Label("docker"), func() {
		if shown.Cannot != "" {
			Skip(shown.Cannot)
		}
		for _, t := range shown.Evidence.Trials {
			Expect(sentences()).To(HaveKey(t.ID))
		}
	})

	It("passes the gate when all of it ran", Label("docker"), func() {
		if shown.Cannot != "" {
			Skip(shown.Cannot)
		}
		e := shown.Evidence
		if e.Run.Selected < e.Run.Planned || len(e.Rules.Mutants) == 0 {
			Skip("a part of the campaign was selected")
		}
		Expect(reports.Gate(e.Summary, e.Channels, e.Controls, e.Trials...)).To(BeEmpty())
	})
})
