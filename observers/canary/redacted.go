package canary

import (
	"fmt"
	"io"
	"log/slog"
)

const redaction = "[canary]"

// redacted, embedded, answers every printing route with one fixed word. The
// routes that ask no method (unexported fields, %p, gomega) find a func in
// place of the bytes.
type redacted struct{}

func (redacted) String() string               { return redaction }
func (redacted) GoString() string             { return redaction }
func (redacted) Format(f fmt.State, _ rune)   { io.WriteString(f, redaction) }
func (redacted) MarshalText() ([]byte, error) { return []byte(redaction), nil }
func (redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + redaction + `"`), nil }
func (redacted) LogValue() slog.Value         { return slog.StringValue(redaction) }
