package gateway

import (
	"slices"

	"postern/gateway/confine"
	"postern/gateway/gate"
	"postern/gateway/watchdog"
)

// Controls of the gateway itself.
const (
	// CeilingPublicTool keeps what is more than public from the public sink.
	CeilingPublicTool confine.Control = "ceiling.public-tool"
	// WatchdogArmed puts a second process beside the one that serves the agent.
	WatchdogArmed confine.Control = "watchdog.armed"
)

// Controls of what decides about a call, in the order in which it meets them.
const (
	FrameStrict      confine.Control = "frame.strict"
	CataloguePinned  confine.Control = "catalogue.pinned"
	CatalogueAliases confine.Control = "catalogue.aliases"
	GateAsked        confine.Control = "gate.asked"
	CallArguments    confine.Control = "call.arguments"
	PolicyValidation confine.Control = "policy.validation"
	PolicyErrors     confine.Control = "policy.errors"
	PolicyDecision   confine.Control = "policy.decision"
	CeilingLabels    confine.Control = "ceiling.labels"
	CeilingSinks     confine.Control = "ceiling.sinks"
	CeilingAnswers   confine.Control = "ceiling.answers"
	CallsAlone       confine.Control = "calls.alone"
	AnswersAlone     confine.Control = "answers.alone"
	AuditFirst       confine.Control = "audit.first"
	AuditCommitments confine.Control = "audit.commitments"
	AuditRows        confine.Control = "audit.rows"
	TelemetrySpans   confine.Control = "telemetry.spans"
	TelemetryLog     confine.Control = "telemetry.log"
)

func deciding() []confine.ControlInfo {
	return []confine.ControlInfo{
		{ID: FrameStrict, Title: "a line has one reading or is refused", Group: "policy"},
		{ID: CataloguePinned, Title: "tools as they were pinned, and no others", Group: "policy"},
		{ID: CatalogueAliases, Title: "operations lead to their own tools", Group: "policy"},
		{ID: GateAsked, Title: "the operator's overlay has a say in every call", Group: "policy"},
		{ID: CallArguments, Title: "exactly a tool's arguments, all short texts", Group: "policy"},
		{ID: PolicyValidation, Title: "nothing is decided that the schema does not know", Group: "policy"},
		{ID: PolicyErrors, Title: "a policy that fails denies", Group: "policy"},
		{ID: PolicyDecision, Title: "the policies decide, and deny what they do not speak of", Group: "policy"},
		{ID: CeilingLabels, Title: "a session has the highest label that it saw, and no unknown one", Group: "ceiling"},
		{ID: CeilingSinks, Title: "nothing above a sink's ceiling to it, and nothing to a sink without one", Group: "ceiling"},
		{ID: CeilingAnswers, Title: "an answer's label counts before it is released", Group: "ceiling"},
		{ID: CallsAlone, Title: "of all that a client says, a tool's arguments alone go on", Group: "exhaust"},
		{ID: AnswersAlone, Title: "of all that a tool server says, one short text a call goes on", Group: "exhaust"},
		{ID: AuditFirst, Title: "nothing is released before it is recorded", Group: "policy"},
		{ID: AuditCommitments, Title: "of a payload the audit log holds what nobody can open or guess without a key", Group: "exhaust"},
		{ID: AuditRows, Title: "every decision has a row, linked to the one before", Group: "exhaust"},
		{ID: TelemetrySpans, Title: "a span holds numbers and known words alone", Group: "exhaust"},
		{ID: TelemetryLog, Title: "so does a line of the gateway's log", Group: "exhaust"},
	}
}

// Controls lists every control of the subject: the sandbox's, the host's and
// the gateway's own.
func Controls() []confine.ControlInfo {
	return slices.Concat(
		confine.Controls(),
		[]confine.ControlInfo{
			{ID: CeilingPublicTool, Title: "nothing above public to the public sink", Group: "ceiling"},
			{ID: WatchdogArmed, Title: "a watchdog beside every session", Group: "supervision"},
		},
		deciding(),
		watchdog.Controls(),
		gate.Controls(),
		guarding(),
	)
}
