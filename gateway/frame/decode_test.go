package frame_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"postern/gateway/frame"
)

// with returns a frame whose arguments are the given text.
func with(arguments string) string {
	return `{"operation":"deliver","arguments":` + arguments + `}`
}

// refusals has a row for each way in which an agent may try to be read in two ways.
var refusals = []struct {
	name string
	line string
	code frame.Code
}{
	{"duplicate operation", `{"operation":"publish","operation":"deliver","arguments":{}}`, frame.DuplicateKey},
	{"duplicate arguments", `{"operation":"deliver","arguments":{},"arguments":{}}`, frame.DuplicateKey},
	{"duplicate in arguments", with(`{"text":"a","text":"b"}`), frame.DuplicateKey},
	{"duplicate two levels down", with(`{"a":[{"b":1,"b":1}]}`), frame.DuplicateKey},
	{"duplicate by escape", with(`{"text":"a","te\u0078t":"b"}`), frame.DuplicateKey},
	{"duplicate operation by escape", `{"operation":"a","\u006fperation":"b","arguments":{}}`, frame.DuplicateKey},

	{"upper case", `{"Operation":"deliver","arguments":{}}`, frame.CaseVariant},
	{"upper case beside the key", `{"operation":"deliver","OPERATION":"publish","arguments":{}}`, frame.CaseVariant},
	{"long s", `{"operation":"deliver","argument` + "\u017f" + `":{}}`, frame.CaseVariant},
	{"long s by escape", `{"operation":"deliver","argument\u017f":{}}`, frame.CaseVariant},
	{"long s in arguments", with(`{"status":1,"` + "\u017f" + `tatus":2}`), frame.CaseVariant},
	{"Kelvin sign in arguments", with(`{"k":1,"` + "\u212a" + `":2}`), frame.CaseVariant},
	{"Greek final sigma in arguments", with(`{"σ":1,"ς":2}`), frame.CaseVariant},
	{"variants far apart", with(`{"text":1,"a":2,"b":3,"c":{"d":4},"TEXT":5}`), frame.CaseVariant},
	{"variants in an array element", with(`{"a":[[],{"x":1,"X":2}]}`), frame.CaseVariant},

	{"unknown key", `{"operation":"deliver","arguments":{},"id":1}`, frame.UnknownKey},
	{"claimed data class", `{"operation":"deliver","arguments":{},"declared_data_class":"public"}`, frame.UnknownKey},
	{"claimed sink policy", `{"operation":"deliver","arguments":{},"sink_policy":{"public":"secret"}}`, frame.UnknownKey},
	{"empty key", `{"operation":"deliver","arguments":{},"":1}`, frame.UnknownKey},
	{"key with a blank", `{"operation ":"deliver","arguments":{}}`, frame.UnknownKey},
	{"key with a soft hyphen", "{\"opera\u00adtion\":\"deliver\",\"arguments\":{}}", frame.UnknownKey},
	{"no operation", `{"arguments":{}}`, frame.MissingKey},
	{"no arguments", `{"operation":"deliver"}`, frame.MissingKey},
	{"no key", `{}`, frame.MissingKey},

	{"invalid UTF-8 in a string", with("{\"text\":\"\xff\"}"), frame.InvalidUTF8},
	{"overlong UTF-8", with("{\"text\":\"\xc0\xaf\"}"), frame.InvalidUTF8},
	{"surrogate as UTF-8", with("{\"text\":\"\xed\xa0\x80\"}"), frame.InvalidUTF8},
	{"invalid UTF-8 in a key", with("{\"te\xfext\":1}"), frame.InvalidUTF8},
	{"cut rune", with("{\"text\":\"\xe2\x82\"}"), frame.InvalidUTF8},
	{"lone high surrogate", with(`{"text":"\ud800"}`), frame.LoneSurrogate},
	{"lone low surrogate", with(`{"text":"\uDFFF"}`), frame.LoneSurrogate},
	{"high surrogate twice", with(`{"text":"\ud800\ud800"}`), frame.LoneSurrogate},
	{"high surrogate then an escape", with(`{"text":"\ud800\n"}`), frame.LoneSurrogate},
	{"lone surrogate in a key", with(`{"\udc00":1}`), frame.LoneSurrogate},
	{"lone surrogate after an escaped backslash", with(`{"text":"\\\ud800"}`), frame.LoneSurrogate},

	{"escaped NUL in a value", with(`{"text":"a\u0000b"}`), frame.NUL},
	{"escaped NUL deep down", with(`{"a":[{"b":["\u0000"]}]}`), frame.NUL},
	{"escaped NUL in the operation", `{"operation":"deliver\u0000","arguments":{}}`, frame.NUL},
	{"key and NUL suffix", `{"operation\u0000":"deliver","arguments":{}}`, frame.NUL},
	{"key and NUL suffix in arguments", with(`{"text":1,"text\u0000":2}`), frame.NUL},
	{"raw NUL in a value", with("{\"text\":\"\x00\"}"), frame.NUL},
	{"raw NUL after the object", with("{}") + "\x00", frame.NUL},

	{"BOM", "\ufeff" + with("{}"), frame.ByteOrderMark},
	{"CRLF", with("{}") + "\r", frame.CarriageReturn},
	{"CR as a blank", "{\r" + `"operation":"deliver","arguments":{}}`, frame.CarriageReturn},
	{"CR in a string", with("{\"text\":\"a\rb\"}"), frame.CarriageReturn},

	{"exponent to infinity", with(`{"n":1e400}`), frame.NumberRange},
	{"minus infinity", with(`{"n":-1e400}`), frame.NumberRange},
	{"exponent to zero", with(`{"n":1e-400}`), frame.NumberRange},
	{"integer above 2^53", with(`{"n":9007199254740993}`), frame.NumberRange},
	{"integer below -2^53", with(`{"n":-9007199254740993}`), frame.NumberRange},
	{"integer above int64", with(`{"n":9223372036854775808}`), frame.NumberRange},
	{"integer of a thousand digits", with(`{"n":` + strings.Repeat("9", 1000) + `}`), frame.NumberRange},
	{"large by exponent", with(`{"n":1e16}`), frame.NumberRange},
	{"large by fraction", with(`{"n":9007199254740992.5}`), frame.NumberRange},
	{"negative zero", with(`{"n":-0}`), frame.NumberRange},
	{"negative zero with a fraction", with(`{"n":-0.0}`), frame.NumberRange},
	{"negative zero with an exponent", with(`{"n":-0e7}`), frame.NumberRange},
	{"out of range in an array", with(`{"n":[1,[2,1e999]]}`), frame.NumberRange},

	{"too deep in objects", with(strings.Repeat(`{"a":`, 16) + "1" + strings.Repeat("}", 16)), frame.Depth},
	{"too deep in arrays", with(`{"a":` + strings.Repeat("[", 15) + strings.Repeat("]", 15) + "}"), frame.Depth},
	{"brackets without end", strings.Repeat("[", 10_000), frame.Depth},

	{"batch", "[" + with("{}") + "]", frame.Batch},
	{"batch of two", "[" + with("{}") + "," + with("{}") + "]", frame.Batch},
	{"empty array", `[]`, frame.Batch},
	{"string", `"deliver"`, frame.NotObject},
	{"null", `null`, frame.NotObject},
	{"number", `7`, frame.NotObject},
	{"truth", `true`, frame.NotObject},

	{"second object", with("{}") + with("{}"), frame.TrailingBytes},
	{"bracket after the object", with("{}") + "]", frame.TrailingBytes},
	{"blank after the object", with("{}") + " ", frame.TrailingBytes},
	{"LF after the object", with("{}") + "\n", frame.TrailingBytes},
	{"LF within", "{\n" + `"operation":"deliver","arguments":{}}`, frame.TrailingBytes},
	{"text after the object", with("{}") + "canary", frame.TrailingBytes},

	{"operation is a list", `{"operation":["deliver"],"arguments":{}}`, frame.OperationType},
	{"operation is null", `{"operation":null,"arguments":{}}`, frame.OperationType},
	{"operation is an object", `{"operation":{},"arguments":{}}`, frame.OperationType},
	{"operation is a number", `{"operation":1,"arguments":{}}`, frame.OperationType},
	{"operation is empty", `{"operation":"","arguments":{}}`, frame.OperationLength},
	{"operation is too long", `{"operation":"` + strings.Repeat("a", 65) + `","arguments":{}}`, frame.OperationLength},
	{"arguments is a list", with(`["a"]`), frame.ArgumentsType},
	{"arguments is a string", with(`"{}"`), frame.ArgumentsType},
	{"arguments is null", with(`null`), frame.ArgumentsType},
	{"arguments is a number", with(`0`), frame.ArgumentsType},

	{"empty", "", frame.NotJSON},
	{"blank", "  ", frame.NotJSON},
	{"text", "canary", frame.NotJSON},
	{"cut object", `{"operation":"deliver"`, frame.NotJSON},
	{"cut after a key", `{"operation":`, frame.NotJSON},
	{"cut arguments", `{"operation":"deliver","arguments":{"a":`, frame.NotJSON},
	{"closing bracket", `]`, frame.NotJSON},
	{"wrong bracket", with(`{"a":[}`), frame.NotJSON},
	{"comma at the end", with(`{"a":1,}`), frame.NotJSON},
	{"comment", with(`{/**/}`), frame.NotJSON},
	{"single quotes", `{'operation':'deliver','arguments':{}}`, frame.NotJSON},
	{"NaN", with(`{"n":NaN}`), frame.NotJSON},
	{"hexadecimal", with(`{"n":0x10}`), frame.NotJSON},
	{"leading zero", with(`{"n":01}`), frame.NotJSON},
	{"plus sign", with(`{"n":+1}`), frame.NotJSON},
	{"tab in a string", with("{\"text\":\"\t\"}"), frame.NotJSON},
	{"bad escape", with(`{"text":"\x41"}`), frame.NotJSON},
	{"short escape", with(`{"text":"\u00"}`), frame.NotJSON},
	{"U+0085 as a blank", "{\u0085" + `"operation":"deliver","arguments":{}}`, frame.NotJSON},
	{"no-break space as a blank", "{\u00a0" + `"operation":"deliver","arguments":{}}`, frame.NotJSON},
	{"key is a number", `{1:"deliver","arguments":{}}`, frame.NotJSON},

	{"longer than the limit", with(`{"text":"` + strings.Repeat("a", frame.DefaultBytes) + `"}`), frame.Oversized},
}

func TestDecodeRefusesWhatTwoReadersMightReadInTwoWays(t *testing.T) {
	for _, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			c, err := frame.Decode([]byte(r.line), frame.Limits{})
			if got := codeOf(err); got != r.code {
				t.Errorf("code %q, want %q", got, r.code)
			}
			if c.Operation != "" || c.Arguments != nil {
				t.Error("a refused frame still gave a call")
			}
		})
	}
}

func TestEveryCodeOfTheDecoderHasARow(t *testing.T) {
	elsewhere := []frame.Code{frame.Unterminated, frame.ReportInvalid} // of Reader; of gateway/bridge
	for _, c := range frame.Codes() {
		row := slices.ContainsFunc(refusals, func(r struct {
			name string
			line string
			code frame.Code
		}) bool {
			return r.code == c
		})
		if row == slices.Contains(elsewhere, c) {
			t.Errorf("code %q: has a row: %v", c, row)
		}
	}
}

func TestDecodeAccepts(t *testing.T) {
	deepest := `{"a":` + strings.Repeat("[", 14) + strings.Repeat("]", 14) + "}"
	for _, arguments := range []string{
		`{}`,
		`{"text":"a"}`,
		`{ "text" : "a" }`,
		`{"text":"` + "\u2028\u2029\u0085" + `"}`,
		`{"text":"\u2028\n\r\t\"\\\/"}`,
		`{"text":"\ud83d\ude00"}`,
		`{"text":"\\u0000 \\ud800"}`,
		`{"text":"[[[[[[[[[[[[[[[[[[[[{{{{{{{{"}`,
		`{"text":"\"[[[[[[[[[[[[[[[[[[[[["}`,
		`{"n":9007199254740992,"m":-9007199254740992}`,
		`{"n":0,"m":0.0,"o":0e9,"p":1.5e-3,"q":1E3}`,
		`{"a":{"x":1},"b":{"X":1},"c":{"x":1}}`,
		`{"operation":"publish","arguments":{"operation":"x"}}`,
		`{"a":null,"b":true,"c":[false,[]]}`,
		deepest,
		`{"a":[` + strings.Repeat(`[],{},`, 40) + `0]}`, // many, but side by side
	} {
		c, err := frame.Decode([]byte(with(arguments)), frame.Limits{})
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
			continue
		}
		if c.Operation != "deliver" || string(c.Arguments) != arguments {
			t.Errorf("%s: got %+q %s", arguments, c.Operation, c.Arguments)
		}
	}
}

func TestDecodeAcceptsTheAliasesInEitherOrder(t *testing.T) {
	for _, operation := range []string{"deliver", "publish", "report", strings.Repeat("a", 64)} {
		for _, shape := range []string{
			`{"operation":%q,"arguments":{"text":"a"}}`,
			`{"arguments":{"text":"a"},"operation":%q}`,
			`{"\u006fperation":%q,"arguments":{"text":"a"}}`,
			"\t { \"operation\" :\t%q , \"arguments\" : {\"text\":\"a\"} }",
		} {
			c, err := frame.Decode(fmt.Appendf(nil, shape, operation), frame.Limits{})
			if err != nil || c.Operation != operation || string(c.Arguments) != `{"text":"a"}` {
				t.Errorf("%s: operation %q, error %v", shape, c.Operation, err)
			}
		}
	}
}

func TestACallSharesNoMemoryWithItsLine(t *testing.T) {
	line := []byte(with(`{"text":"a"}`))
	c, err := frame.Decode(line, frame.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	clear(line)
	if c.Operation != "deliver" || string(c.Arguments) != `{"text":"a"}` {
		t.Error("the call changed with its line")
	}
}

func TestLimitsAtTheirEdge(t *testing.T) {
	line := []byte(with(`{"a":[]}`))
	for _, r := range []struct {
		limits frame.Limits
		code   frame.Code
	}{
		{frame.Limits{Bytes: len(line), Depth: 3}, ""},
		{frame.Limits{Bytes: len(line) - 1, Depth: 3}, frame.Oversized},
		{frame.Limits{Bytes: len(line), Depth: 2}, frame.Depth},
	} {
		_, err := frame.Decode(line, r.limits)
		if got := codeOf(err); got != r.code {
			t.Errorf("%+v: code %q, want %q", r.limits, got, r.code)
		}
	}
}

func TestNoLimitsSwitchAChecksOff(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	for _, l := range []frame.Limits{
		{}, {Bytes: -1, Depth: -1}, {Bytes: frame.MaxBytes + 1, Depth: frame.MaxDepth + 1},
	} {
		if _, err := frame.Decode([]byte(deep), l); codeOf(err) != frame.Oversized {
			t.Errorf("%+v: %v", l, err)
		}
		if _, err := frame.Decode([]byte(deep[:1000]), l); codeOf(err) != frame.Depth {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestAMegabyteOfBracketsIsRefusedForItsDepth(t *testing.T) {
	l := frame.Limits{Bytes: frame.MaxBytes, Depth: frame.MaxDepth}
	for _, unit := range []string{"[", `{"a":`, "[{"} {
		line := with(strings.Repeat(unit, 1<<20/len(unit)))
		if _, err := frame.Decode([]byte(line), l); codeOf(err) != frame.Depth {
			t.Errorf("%q: %v", unit, err)
		}
	}
}

func TestARefusalSaysItsCodeAndNothingOfTheFrame(t *testing.T) {
	_, err := frame.Decode([]byte(with(`{"canary":1,"canary":2}`)), frame.Limits{})
	if got, want := err.Error(), "frame refused: duplicate-key"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if errors.Unwrap(err) != nil {
		t.Error("a refusal wraps an error, which may quote the frame")
	}
}

func TestCodesAreDistinctWords(t *testing.T) {
	codes := frame.Codes()
	for i, c := range codes {
		if c == "" || strings.Trim(string(c), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("code %q is no word", c)
		}
		if slices.Contains(codes[:i], c) {
			t.Errorf("code %q twice", c)
		}
	}
}

// codeOf returns the code of a refusal, "" for nil, and the message of any other error.
func codeOf(err error) frame.Code {
	var r *frame.Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &r):
		return r.Code
	}
	return frame.Code("other error: " + err.Error())
}
