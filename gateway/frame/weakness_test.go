package frame_test

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/frame"
)

const (
	plainLine = `{"operation":"deliver","arguments":{"text":"t"}}`
	plainRead = `deliver {"text":"t"}`
)

// weaknesses has a row for every field: a stream, why the strict reader ends
// there, and what the weak one reads.
var weaknesses = []struct {
	name   string
	weak   frame.Weakness
	stream string
	strict frame.Code
	reads  []string
}{
	{"the last operation counts", frame.Weakness{LastDuplicate: true}, `{"operation":"publish","operation":"deliver","arguments":{"text":"t"}}` + "\n", frame.DuplicateKey, []string{plainRead}},
	{"the last arguments count", frame.Weakness{LastDuplicate: true}, `{"operation":"deliver","arguments":{},"arguments":{"text":"t"}}` + "\n", frame.DuplicateKey, []string{plainRead}},
	{"keys in another case", frame.Weakness{FoldedKeys: true}, `{"Operation":"deliver","ARGUMENTS":{"text":"t"}}` + "\n", frame.CaseVariant, []string{plainRead}},
	{"arguments that differ in case", frame.Weakness{CaseVariants: true}, with(`{"text":"t","Text":"u"}`) + "\n", frame.CaseVariant, []string{`deliver {"text":"t","Text":"u"}`}},
	{"a third key", frame.Weakness{UnknownKeys: true}, `{"operation":"deliver","more":[{}],"arguments":{"text":"t"}}` + "\n", frame.UnknownKey, []string{plainRead}},
	{"bytes that are no text", frame.Weakness{RepairedUTF8: true}, with("{\"text\":\"t\xff\"}") + "\n", frame.InvalidUTF8, []string{"deliver {\"text\":\"t\ufffd\"}"}},
	{"half a pair", frame.Weakness{LoneSurrogates: true}, with(`{"text":"t\ud800"}`) + "\n", frame.LoneSurrogate, []string{`deliver {"text":"t\ud800"}`}},
	{"the other half", frame.Weakness{LoneSurrogates: true}, with(`{"text":"t\udc00"}`) + "\n", frame.LoneSurrogate, []string{`deliver {"text":"t\udc00"}`}},
	{"an escaped NUL", frame.Weakness{KeptNUL: true}, with(`{"text":"t\u0000"}`) + "\n", frame.NUL, []string{`deliver {"text":"t\u0000"}`}},
	{"deeper than the limit", frame.Weakness{AnyDepth: true}, with(`{"a":[[[]]]}`) + "\n", frame.Depth, []string{`deliver {"a":[[[]]]}`}},
	{"no integer of float64", frame.Weakness{AnyNumber: true}, with(`{"n":9007199254740993}`) + "\n", frame.NumberRange, []string{`deliver {"n":9007199254740993}`}},
	{"a byte more than the limit", frame.Weakness{OneByteMore: true}, padded(weakLimits.Bytes+1) + "\n", frame.Oversized, []string{plainRead}},
	{"a byte order mark", frame.Weakness{ByteOrderMark: true}, "\ufeff" + plainLine + "\n", frame.ByteOrderMark, []string{plainRead}},
	{"something behind the object", frame.Weakness{TrailingBytes: true}, plainLine + "{}\n", frame.TrailingBytes, []string{plainRead}},
	{"two frames in an array", frame.Weakness{Batches: true}, "[" + plainLine + "," + with(`{}`) + "]\n", frame.Batch, []string{plainRead, "deliver {}"}},
	{"a CR between two frames", frame.Weakness{CarriageReturns: true}, plainLine + "\r" + with(`{}`) + "\n", frame.CarriageReturn, []string{plainRead, "deliver {}"}},
	{"a CR before the LF", frame.Weakness{CarriageReturns: true}, plainLine + "\r\n", frame.CarriageReturn, []string{plainRead}},
	{"U+2028 between two frames", frame.Weakness{LineSeparators: true}, plainLine + "\u2028" + with(`{}`) + "\n", frame.TrailingBytes, []string{plainRead, "deliver {}"}},
}

var weakLimits = frame.Limits{Bytes: 256, Depth: 4}

// padded is a frame of n bytes.
func padded(n int) string {
	return strings.Replace(plainLine, ",", ","+strings.Repeat(" ", n-len(plainLine)), 1)
}

// read is what a reader reads to its end.
func read(t *testing.T, r *frame.Reader) (calls []string, code frame.Code) {
	t.Helper()
	for {
		c, err := r.Next()
		if err == io.EOF {
			return calls, ""
		}
		if err != nil {
			return calls, codeOf(err)
		}
		calls = append(calls, c.Operation+" "+string(c.Arguments))
	}
}

func TestEveryWeaknessShows(t *testing.T) {
	for _, w := range weaknesses {
		t.Run(w.name, func(t *testing.T) {
			calls, code := read(t, frame.NewReader(strings.NewReader(w.stream), weakLimits))
			if len(calls) > 0 || code != w.strict {
				t.Errorf("the strict reader reads %q, then %q", calls, code)
			}
			calls, code = read(t, frame.NewWeakReader(strings.NewReader(w.stream), weakLimits, w.weak))
			if diff := cmp.Diff(w.reads, calls); diff != "" || code != "" {
				t.Errorf("the weak reader ends with %q:\n%s", code, diff)
			}
		})
	}
}

// No weakness but its own reads a row as it does.
func TestEveryWeaknessIsOneCheck(t *testing.T) {
	for _, w := range weaknesses {
		for _, field := range fields() {
			weak := single(field)
			if weak == w.weak {
				continue
			}
			if calls, code := read(t, frame.NewWeakReader(strings.NewReader(w.stream), weakLimits, weak)); code == "" && slices.Equal(calls, w.reads) {
				t.Errorf("%s: %s reads %q", w.name, field, calls)
			}
		}
	}
}

// U+2028 within a text is one of its characters: a reader that ends lines there
// misses the call.
func TestALineSeparatorInATextLosesTheCall(t *testing.T) {
	stream := with("{\"text\":\"a\u2028b\"}") + "\n"
	if calls, code := read(t, frame.NewReader(strings.NewReader(stream), weakLimits)); len(calls) != 1 || code != "" {
		t.Errorf("the strict reader reads %q, then %q", calls, code)
	}
	calls, code := read(t, frame.NewWeakReader(strings.NewReader(stream), weakLimits, frame.Weakness{LineSeparators: true}))
	if len(calls) != 0 || code != frame.NotJSON {
		t.Errorf("the weak reader reads %q, then %q", calls, code)
	}
}

// Every field has a row, and every code that no grammar gives has one.
func TestEveryCheckHasAWeakness(t *testing.T) {
	codes := map[frame.Code]bool{}
	rows := map[frame.Weakness]bool{}
	for _, w := range weaknesses {
		codes[w.strict], rows[w.weak] = true, true
	}
	for _, field := range fields() {
		if !rows[single(field)] {
			t.Errorf("%s has no row of its own", field)
		}
	}
	// What these refuse has no call in it, or not a whole one.
	grammar := []frame.Code{
		frame.Unterminated, frame.NotJSON, frame.NotObject, frame.MissingKey, frame.OperationType, frame.OperationLength,
		frame.ArgumentsType, frame.ReportInvalid,
	}
	for _, c := range frame.Codes() {
		if codes[c] == slices.Contains(grammar, c) {
			t.Errorf("%s has a row and is grammar, or neither", c)
		}
	}
}

func fields() []string {
	var out []string
	for i := range reflect.TypeFor[frame.Weakness]().NumField() {
		out = append(out, reflect.TypeFor[frame.Weakness]().Field(i).Name)
	}
	return out
}

func single(field string) (w frame.Weakness) {
	reflect.ValueOf(&w).Elem().FieldByName(field).SetBool(true)
	return w
}

// A weakness that moves no end of a line only adds to what is read: a frame that
// the strict reader takes, the weak one takes too, as the same call.
func FuzzWeakness(f *testing.F) {
	for i := range fields() {
		for _, w := range weaknesses {
			f.Add(uint8(i), []byte(w.stream))
		}
	}
	f.Fuzz(func(t *testing.T, field uint8, stream []byte) {
		w := single(fields()[int(field)%len(fields())])
		strict := frame.NewReader(strings.NewReader(string(stream)), weakLimits)
		weak := frame.NewWeakReader(strings.NewReader(string(stream)), weakLimits, w)
		for {
			c, err := strict.Next()
			d, weakErr := weak.Next()
			if w.CarriageReturns || w.LineSeparators {
				if weakErr != nil {
					return
				}
				continue
			}
			if err != nil {
				return
			}
			if weakErr != nil || c.Operation != d.Operation || string(c.Arguments) != string(d.Arguments) {
				t.Fatal("a weak reader reads a strict frame otherwise")
			}
		}
	})
}
