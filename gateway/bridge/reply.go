package bridge

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Codes of error replies that the bridge itself makes.
const (
	ReplyInvalid   = "reply-invalid"   // the text is not UTF-8, or the handler's code is no word
	ReplyOversized = "reply-oversized" // the line is longer than Limits.Reply
)

// Reply is a handler's answer to one call. The zero Reply is a success with
// an empty text.
type Reply struct {
	Text  string  // the result of a success
	Code  string  // a fixed word of [a-z0-9-], at most 64 bytes: an error, which has no text
	Fatal Outcome // if not empty, how the session ends once the reply is written

	empty bool // a result without text
}

// line returns the reply as the agent reads it, with its LF.
func (r Reply) line(limit int) []byte {
	if r.Code != "" {
		if !isWord(r.Code) {
			return errorLine(ReplyInvalid)
		}
		return errorLine(r.Code)
	}
	if r.empty {
		return []byte(`{"status":"ok","result":{}}` + "\n")
	}
	if len(r.Text) > limit {
		return errorLine(ReplyOversized)
	}
	const head, tail = `{"status":"ok","result":{"text":`, "}}\n"
	line := make([]byte, 0, len(head)+len(r.Text)+len(`""`)+len(tail))
	line, err := jsontext.AppendQuote(append(line, head...), r.Text)
	if err != nil {
		return errorLine(ReplyInvalid)
	}
	if line = append(line, tail...); len(line) > limit {
		return errorLine(ReplyOversized)
	}
	return line
}

func errorLine(code string) []byte {
	return []byte(`{"status":"error","code":"` + code + `"}` + "\n")
}

func isWord(s string) bool {
	return 0 < len(s) && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
