package bridge

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReplyLine(t *testing.T) {
	const roomy = 1 << 20
	for _, r := range []struct {
		name  string
		reply Reply
		limit int
		want  string
	}{
		{"zero", Reply{}, roomy, `{"status":"ok","result":{"text":""}}`},
		{"text", Reply{Text: "a"}, roomy, `{"status":"ok","result":{"text":"a"}}`},
		{"report", Reply{empty: true}, roomy, `{"status":"ok","result":{}}`},
		{"quotes and line ends", Reply{Text: "\"\\\r\n\x00"}, roomy, `{"status":"ok","result":{"text":"\"\\\r\n\u0000"}}`},
		{"code", Reply{Code: "policy-denied"}, roomy, `{"status":"error","code":"policy-denied"}`},
		{"code hides text", Reply{Code: "denied", Text: "canary"}, roomy, `{"status":"error","code":"denied"}`},
		{"code that is no word", Reply{Code: `denied"canary`}, roomy, `{"status":"error","code":"reply-invalid"}`},
		{"code in upper case", Reply{Code: "Denied"}, roomy, `{"status":"error","code":"reply-invalid"}`},
		{"code too long", Reply{Code: strings.Repeat("a", 65)}, roomy, `{"status":"error","code":"reply-invalid"}`},
		{"text that is no text", Reply{Text: "\xff"}, roomy, `{"status":"error","code":"reply-invalid"}`},
		{"exactly at the limit", Reply{Text: "aaaa"}, 42, `{"status":"ok","result":{"text":"aaaa"}}`},
		{"over the limit", Reply{Text: "aaaaa"}, 41, `{"status":"error","code":"reply-oversized"}`},
		{"far over the limit", Reply{Text: strings.Repeat("a", 100)}, 50, `{"status":"error","code":"reply-oversized"}`},
		{"over the limit by escapes", Reply{Text: "\x00\x00"}, 45, `{"status":"error","code":"reply-oversized"}`},
	} {
		line := string(r.reply.line(r.limit))
		if line != r.want+"\n" {
			t.Errorf("%s: %q, want %q", r.name, line, r.want)
		}
		if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
			t.Errorf("%s: not one line of JSON", r.name)
		}
	}
}
