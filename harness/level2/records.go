package level2

import (
	"postern/gateway"
	"postern/gateway/audit"
)

// stranger is a call whose operation names no tool, and holds the canary.
const stranger = `{"operation":"CANARY","arguments":{}}`

// auditMutants are those of the audit log. What could not be recorded is shown by
// a call that is released all the same, where its log has no table or its disk fails;
// what is recorded, by the log's own files.
func auditMutants() []codeMutant {
	logs := func(w audit.Weakness) gateway.Weakness { return gateway.Weakness{Log: w} }
	rows := func(w gateway.RowWeakness) gateway.Weakness { return gateway.Weakness{Rows: w} }
	lost := func(_ *gateway.Config, q *question) { q.around.lost = true }
	broken := func(_ *gateway.Config, q *question) { q.around.broken = true }
	return []codeMutant{
		{id: "audit/unasked", why: "what could not be recorded counts as recorded", layer: Audit, stop: unheard,
			weak: gateway.Weakness{AuditUnasked: true}, set: lost},
		{id: "audit/early", why: "a row counts as recorded before it is durable", layer: Audit, stop: unheard,
			weak: logs(audit.Weakness{Early: true}), set: lost},
		{id: "audit/unasked", layer: Audit, stop: unheard, weak: gateway.Weakness{AuditUnasked: true}, set: broken},
		{id: "audit/unsynced", why: "a row counts as durable that the disk was not asked for", layer: Audit, stop: unheard,
			weak: logs(audit.Weakness{NoSync: true}), set: broken},
		{id: "audit/afterwards", why: "a call is recorded when its tool has answered", layer: Audit, stop: unheard,
			weak: rows(gateway.RowWeakness{Afterwards: true}), set: lost},

		{id: "commitments/stored", why: "a payload itself stands where its commitment should", layer: Commitments, place: AtAuditFile,
			weak: logs(audit.Weakness{Stored: true})},
		{id: "commitments/named-by-agent", why: "the agent's own word for a tool stands in a row", layer: Commitments, place: AtAuditFile, stop: unknown,
			weak: rows(gateway.RowWeakness{NamedByAgent: true}), line: stranger},
		{id: "commitments/plain-hash", why: "a commitment is a hash without a key", layer: Commitments, place: AtDictionary,
			weak: logs(audit.Weakness{PlainHash: true})},
		{id: "commitments/guessable-key", why: "a key is made of the session's id, which stands in the row", layer: Commitments, place: AtDictionary,
			weak: logs(audit.Weakness{Guessable: true})},
		{id: "commitments/alike", why: "equal payloads have equal commitments", layer: Commitments, place: AtRows,
			weak: logs(audit.Weakness{Unnumbered: true}), line: call + "\n" + call},

		{id: "rows/unchained", why: "a row does not name the hash of the one before", layer: Rows, place: AtRows,
			weak: logs(audit.Weakness{Unchained: true})},
		{id: "rows/unclosed", why: "a session has no last row", layer: Rows, place: AtRows,
			weak: logs(audit.Weakness{Unclosed: true})},
		{id: "rows/no-denials", why: "a call that is denied leaves no row", layer: Rows, place: AtRows, stop: byCeiling,
			weak: rows(gateway.RowWeakness{NoDenials: true}), set: tooHigh},
		{id: "rows/no-errors", why: "a call about which a policy failed leaves no row", layer: Rows, place: AtRows, stop: byPolicy,
			weak: rows(gateway.RowWeakness{NoErrors: true}), set: unreadable},
		{id: "rows/no-strangers", why: "a call that names no tool leaves no row", layer: Rows, place: AtRows, stop: unknown,
			weak: rows(gateway.RowWeakness{NoStrangers: true}), line: stranger},
		{id: "rows/no-answers", why: "what becomes of an answer leaves no row", layer: Rows, place: AtRows,
			weak: rows(gateway.RowWeakness{NoAnswers: true})},
	}
}
