package level2

import (
	"strings"

	"postern/gateway"
	"postern/gateway/frame"
	"postern/gateway/policy"
)

// frameMutant is a weakness of the frame decoder, and the line that shows it. In
// the line, DO stands for the operation of the witness's tool and CANARY for its
// text; FILL for as many blanks as make the line a byte longer than the limit.
type frameMutant struct {
	id, why string
	weak    frame.Weakness
	line    string
	place   Place // where what the strict decoder refuses arrives
	narrows bool
}

const call = `{"operation":"DO","arguments":{"text":"CANARY"}}`

func frameMutants() []frameMutant {
	return []frameMutant{
		{id: "frame/last-operation", why: "the last of two equal keys counts", weak: frame.Weakness{LastDuplicate: true},
			line: `{"operation":"postern-other","operation":"DO","arguments":{"text":"CANARY"}}`, place: AtTool},
		{id: "frame/last-arguments", why: "the last of two equal keys counts", weak: frame.Weakness{LastDuplicate: true},
			line: `{"operation":"DO","arguments":{},"arguments":{"text":"CANARY"}}`, place: AtTool},
		{id: "frame/folded-keys", why: "keys are taken in any case", weak: frame.Weakness{FoldedKeys: true},
			line: `{"Operation":"DO","ARGUMENTS":{"text":"CANARY"}}`, place: AtTool},
		{id: "frame/case-variants", why: "keys of the arguments may differ in case alone", weak: frame.Weakness{CaseVariants: true},
			line: `{"operation":"DO","arguments":{"text":"CANARY","Text":"CANARY"}}`, place: AtArguments},
		{id: "frame/unknown-keys", why: "a third key is ignored", weak: frame.Weakness{UnknownKeys: true},
			line: `{"operation":"DO","more":1,"arguments":{"text":"CANARY"}}`, place: AtTool},
		{id: "frame/repaired-utf8", why: "bytes that are not UTF-8 are replaced", weak: frame.Weakness{RepairedUTF8: true},
			line: "{\"operation\":\"DO\",\"arguments\":{\"text\":\"CANARY\xff\"}}", place: AtTool},
		{id: "frame/lone-surrogates", why: "half of a surrogate pair is passed on", weak: frame.Weakness{LoneSurrogates: true},
			line: `{"operation":"DO","arguments":{"text":"CANARY\ud800"}}`, place: AtArguments},
		{id: "frame/kept-nul", why: "NUL is text", weak: frame.Weakness{KeptNUL: true},
			line: `{"operation":"DO","arguments":{"text":"CANARY\u0000"}}`, place: AtTool},
		{id: "frame/any-depth", why: "nesting has no bound", weak: frame.Weakness{AnyDepth: true},
			line: `{"operation":"DO","arguments":{"text":` + strings.Repeat("[", 20) + `"CANARY"` + strings.Repeat("]", 20) + `}}`, place: AtArguments},
		{id: "frame/any-number", why: "numbers are whatever float64 makes of them", weak: frame.Weakness{AnyNumber: true},
			line: `{"operation":"DO","arguments":{"text":9007199254740993}}`, place: AtArguments},
		{id: "frame/one-byte-more", why: "the limit is off by one", weak: frame.Weakness{OneByteMore: true},
			line: `{"operation":"DO",FILL"arguments":{"text":"CANARY"}}`, place: AtTool},
		{id: "frame/byte-order-mark", why: "a byte order mark is skipped", weak: frame.Weakness{ByteOrderMark: true}, line: "\ufeff" + call, place: AtTool},
		{id: "frame/trailing-bytes", why: "what follows the object is ignored", weak: frame.Weakness{TrailingBytes: true}, line: call + `{}`, place: AtTool},
		{id: "frame/batch", why: "the elements of an array are frames", weak: frame.Weakness{Batches: true}, line: `[` + call + `]`, place: AtTool},
		{id: "frame/carriage-return", why: "CR ends a line", weak: frame.Weakness{CarriageReturns: true}, line: call + "\r", place: AtTool},
		{id: "frame/line-separator", why: "U+2028 ends a line", weak: frame.Weakness{LineSeparators: true}, line: call + "\u2028", place: AtTool},
		{id: "frame/line-separator-in-text", why: "U+2028 ends a line, within a text too", weak: frame.Weakness{LineSeparators: true},
			line: "{\"operation\":\"DO\",\"arguments\":{\"text\":\"CANARY\u2028\"}}", place: AtTool, narrows: true},
	}
}

// framePlans drive each weakness with the subject's own configuration, but for
// the permitted tool's.
func framePlans(c gateway.Config) []planned {
	q, ok := permitted(c)
	var out []planned
	for _, m := range frameMutants() {
		p := planned{row: Row{Mutant: m.id, Layer: Frames, Operator: m.id, Why: m.why}}
		if !ok {
			p.row.Status, p.row.Reason = NotApplicable, Unasked
			out = append(out, p)
			continue
		}
		q.line = m.line
		w := witness{direction: Widens, place: m.place, asks: q, original: c, mutant: c, weak: m.weak}
		if m.narrows {
			w.direction = Narrows
		}
		p.witnesses = []witness{w}
		out = append(out, p)
	}
	return out
}

// permitted is the first tool that may receive what the agent holds at the start.
func permitted(c gateway.Config) (question, bool) {
	policies, err := policy.Compile(c.Policy)
	for _, t := range c.Catalogue {
		q := question{tool: t.Name, groups: t.Groups, sink: t.Sink, initial: c.Initial, answer: t.Response}
		if err == nil && operation(c, t.Name) != "" && c.Ceilings.Admits(c.Lattice, t.Sink, c.Initial) && policies.Decide(q.request(c.Lattice)).Permitted {
			return q, true
		}
	}
	return question{}, false
}

// spell writes a line with what it stands for.
func spell(line, operation, secret string, limit int) []byte {
	if limit < 1 || limit > frame.MaxBytes { // as frame.Limits has it
		limit = frame.DefaultBytes
	}
	line = strings.NewReplacer("DO", operation, "CANARY", secret).Replace(line)
	if strings.Contains(line, "FILL") {
		line = strings.Replace(line, "FILL", strings.Repeat(" ", limit+1-(len(line)-len("FILL"))), 1)
	}
	return []byte(line + "\n")
}
