package secret

import (
	"fmt"
	"io"
	"log/slog"
)

const redaction = "[canary]"

// Redacted, embedded, answers every printing route with one fixed word. The
// routes that ask no method (unexported fields, %p, gomega) must find a func in
// place of the bytes.
type Redacted struct{}

// String, GoString, Format, MarshalText, MarshalJSON and LogValue all say
// "[canary]".
func (Redacted) String() string               { return redaction }
func (Redacted) GoString() string             { return redaction }
func (Redacted) Format(f fmt.State, _ rune)   { io.WriteString(f, redaction) }
func (Redacted) MarshalText() ([]byte, error) { return []byte(redaction), nil }
func (Redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + redaction + `"`), nil }
func (Redacted) LogValue() slog.Value         { return slog.StringValue(redaction) }
