package frame

// Code is a closed word: why a frame was refused.
type Code string

// The codes.
const (
	Oversized       Code = "oversized"        // longer than Limits.Bytes
	Unterminated    Code = "unterminated"     // the stream ended inside a line
	ByteOrderMark   Code = "bom"              // the line starts with U+FEFF
	CarriageReturn  Code = "carriage-return"  // a CR byte anywhere
	NUL             Code = "nul"              // a NUL byte, or \u0000 in a string
	InvalidUTF8     Code = "invalid-utf8"     // bytes that are not UTF-8
	LoneSurrogate   Code = "lone-surrogate"   // half of an escaped surrogate pair
	Depth           Code = "depth"            // nested deeper than Limits.Depth
	NotJSON         Code = "not-json"         // no JSON text
	NotObject       Code = "not-object"       // a string, number, true, false or null
	Batch           Code = "batch"            // an array of whatever length
	TrailingBytes   Code = "trailing-bytes"   // anything after the object, LF and blanks too
	DuplicateKey    Code = "duplicate-key"    // one key twice in an object at any depth
	CaseVariant     Code = "case-variant"     // a key that equals a frame key, or another key of its object, but for case
	UnknownKey      Code = "unknown-key"      // a third key
	MissingKey      Code = "missing-key"      // no operation or no arguments
	OperationType   Code = "operation-type"   // operation is no string
	OperationLength Code = "operation-length" // operation is empty or longer than 64 bytes
	ArgumentsType   Code = "arguments-type"   // arguments is no object
	NumberRange     Code = "number-range"     // a number that float64 and int64 readers may take differently
	ReportInvalid   Code = "report-invalid"   // given by gateway/bridge: a bad argument of its operation "report"
)

// Codes returns the whole vocabulary in a fixed order.
func Codes() []Code {
	return []Code{
		Oversized, Unterminated, ByteOrderMark, CarriageReturn, NUL, InvalidUTF8, LoneSurrogate,
		Depth, NotJSON, NotObject, Batch, TrailingBytes, DuplicateKey, CaseVariant, UnknownKey,
		MissingKey, OperationType, OperationLength, ArgumentsType, NumberRange, ReportInvalid,
	}
}

// Refusal is the error of a refused frame. It carries a word and no byte of
// the frame.
type Refusal struct {
	Code Code
}

func (r *Refusal) Error() string { return "frame refused: " + string(r.Code) }

func refuse(c Code) error { return &Refusal{Code: c} }
