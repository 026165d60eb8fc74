package harness

import (
	"fmt"
	"slices"

	"postern/fixtures/channel"
	"postern/reports"
)

// reasonUnable is why no trial of a campaign was applicable.
const reasonUnable = "no-engine"

// inapplicableReasons lists every word by which a trial may say that this
// machine cannot run it. Any other one in a bundle is refused: words could
// carry what numbers cannot.
func inapplicableReasons() []string { return []string{reasonUnable} }

// residualChannels lists the channels that were measured because no control
// shuts them, beside those of the registry.
func residualChannels() []string { return nil }

// unknownWords finds words in a bundle that neither its plan nor this build's
// registers have.
func unknownWords(e reports.Evidence) []string {
	var problems []string
	for i, t := range e.Trials {
		if t.Outcome == outcomeNotApplicable && !slices.Contains(inapplicableReasons(), t.Reason) {
			problems = append(problems, fmt.Sprintf("%s (/trials/%d): it is not applicable for no reason that this version of Postern has", t.ID, i))
		}
	}
	known := append(words(channelIDs()), residualChannels()...)
	for i, r := range e.Residuals {
		if !slices.Contains(known, r.Channel) {
			problems = append(problems, fmt.Sprintf("/residuals/%d: its channel is none that this version of Postern measures", i))
		}
	}
	return problems
}

func channelIDs() []channel.ID {
	var ids []channel.ID
	for _, c := range channel.All() {
		ids = append(ids, c.ID)
	}
	return ids
}
