package harness

import (
	"fmt"
	"slices"

	"postern/fixtures/channel"
	"postern/reports"
)

// reasonUnable is why no trial of a campaign was applicable.
const reasonUnable = "no-engine"

// reasonNoCompat is why nobody can enter the kernel as a 32-bit program.
const reasonNoCompat = "no-compat-calls"

// reasonNoSandbox is why no tool server can be confined.
const reasonNoSandbox = "no-sandbox"

// inapplicableReasons lists every word by which a trial may say that this
// machine cannot run it: the reasons of the furniture. Any other one in a bundle
// is refused, since words could carry what numbers cannot.
func inapplicableReasons() []string {
	return append(celledReasons(),
		reasonUnable, reasonNoCompat, reasonNoSandbox,
		"connect-refuses", "limit-is-final", "name-server-everywhere", "no-core-handler", "no-loop-devices",
		"no-private-engine", "no-virtual-machine", "path-too-long",
		"agent-gets-no-plan", "client-keeps-it", "engine-drops-it", "engine-refuses-it", "no-block-device", "no-request-for-it",
	)
}

// residualChannels lists the channels that are measured because no control
// shuts them.
func residualChannels() []string {
	var ids []string
	for _, r := range channel.Residuals() {
		ids = append(ids, string(r.ID))
	}
	return ids
}

// unknownWords finds words in a bundle that neither its plan nor this build's
// registers have.
func unknownWords(e reports.Evidence) []string {
	var problems []string
	for i, t := range e.Trials {
		if t.Outcome == outcomeNotApplicable && !slices.Contains(inapplicableReasons(), t.Reason) {
			problems = append(problems, fmt.Sprintf("%s (/trials/%d): it is not applicable for no reason that this version of Postern has", t.ID, i))
		}
	}
	known := residualChannels()
	for i, r := range e.Residuals {
		if !slices.Contains(known, r.Channel) {
			problems = append(problems, fmt.Sprintf("/residuals/%d: its channel is none that this version of Postern measures", i))
		}
	}
	return problems
}
