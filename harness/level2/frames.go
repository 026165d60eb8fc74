package level2

import (
	"strings"

	"postern/gateway"
	"postern/gateway/frame"
)

const call = `{"operation":"DO","arguments":{"text":"CANARY"}}`

// frameMutants are those of the frame decoder: each with the line that shows it,
// which the strict decoder refuses.
func frameMutants() []codeMutant {
	return []codeMutant{
		{id: "frame/last-operation", why: "the last of two equal keys counts", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{LastDuplicate: true}},
			line: `{"operation":"postern-other","operation":"DO","arguments":{"text":"CANARY"}}`},
		{id: "frame/last-arguments", why: "the last of two equal keys counts", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{LastDuplicate: true}},
			line: `{"operation":"DO","arguments":{},"arguments":{"text":"CANARY"}}`},
		{id: "frame/folded-keys", why: "keys are taken in any case", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{FoldedKeys: true}},
			line: `{"Operation":"DO","ARGUMENTS":{"text":"CANARY"}}`},
		{id: "frame/case-variants", why: "keys of the arguments may differ in case alone", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{CaseVariants: true}},
			line: `{"operation":"DO","arguments":{"text":"CANARY","Text":"CANARY"}}`, place: AtArguments},
		{id: "frame/unknown-keys", why: "a third key is ignored", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{UnknownKeys: true}},
			line: `{"operation":"DO","more":1,"arguments":{"text":"CANARY"}}`},
		{id: "frame/repaired-utf8", why: "bytes that are not UTF-8 are replaced", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{RepairedUTF8: true}},
			line: "{\"operation\":\"DO\",\"arguments\":{\"text\":\"CANARY\xff\"}}"},
		{id: "frame/lone-surrogates", why: "half of a surrogate pair is passed on", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{LoneSurrogates: true}},
			line: `{"operation":"DO","arguments":{"text":"CANARY\ud800"}}`, place: AtArguments},
		{id: "frame/kept-nul", why: "NUL is text", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{KeptNUL: true}},
			line: `{"operation":"DO","arguments":{"text":"CANARY\u0000"}}`},
		{id: "frame/any-depth", why: "nesting has no bound", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{AnyDepth: true}},
			line: `{"operation":"DO","arguments":{"text":` + strings.Repeat("[", 20) + `"CANARY"` + strings.Repeat("]", 20) + `}}`, place: AtArguments},
		{id: "frame/any-number", why: "numbers are whatever float64 makes of them", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{AnyNumber: true}},
			line: `{"operation":"DO","arguments":{"text":9007199254740993}}`, place: AtArguments},
		{id: "frame/one-byte-more", why: "the limit is off by one", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{OneByteMore: true}},
			line: `{"operation":"DO",FILL"arguments":{"text":"CANARY"}}`},
		{id: "frame/byte-order-mark", why: "a byte order mark is skipped", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{ByteOrderMark: true}}, line: "\ufeff" + call},
		{id: "frame/trailing-bytes", why: "what follows the object is ignored", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{TrailingBytes: true}}, line: call + `{}`},
		{id: "frame/batch", why: "the elements of an array are frames", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{Batches: true}}, line: `[` + call + `]`},
		{id: "frame/carriage-return", why: "CR ends a line", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{CarriageReturns: true}}, line: call + "\r"},
		{id: "frame/line-separator", why: "U+2028 ends a line", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{LineSeparators: true}}, line: call + "\u2028"},
		{id: "frame/line-separator-in-text", why: "U+2028 ends a line, within a text too", layer: Frames, stop: refused, weak: gateway.Weakness{Frames: frame.Weakness{LineSeparators: true}},
			line: "{\"operation\":\"DO\",\"arguments\":{\"text\":\"CANARY\u2028\"}}", narrows: true},
	}
}

// frameLimit is the longest line that a reader takes, as frame.Limits has it.
func frameLimit(limit int) int {
	if limit < 1 || limit > frame.MaxBytes {
		return frame.DefaultBytes
	}
	return limit
}
