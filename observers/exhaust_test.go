package observers

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// What a gateway sends to a collector of spans, or writes to its log, is heard.
func TestSpansAndLogsOfAGatewayAreHeard(t *testing.T) {
	for _, sent := range []int{0, 1} {
		key := canary.NewKey()
		entry := func(id channel.ID) canary.Entry { return canary.Entry{ID: id, Canary: key.Mint("t", id)} }
		before, after, told := entry(channel.PilotBefore), entry(channel.PilotAfter), entry("told")
		watch, err := canary.NewWatch([]canary.Entry{before, after, told})
		if err != nil {
			t.Fatal(err)
		}
		pilots := Pilots{Before: before.Canary, After: after.Canary}
		spans, err := NewCollector(channel.SinkSpans, watch, pilots)
		if err != nil {
			t.Fatal(err)
		}
		defer spans.Close()
		logs, err := NewLogFiles(t.TempDir(), watch, pilots)
		if err != nil {
			t.Fatal(err)
		}
		defer logs.Close()
		pilot(t, spans, channel.PilotBefore)
		pilot(t, logs, channel.PilotBefore)
		for range sent {
			answer, err := http.Post("http://"+spans.Addr()+"/v1/traces", "application/x-protobuf", bytes.NewReader([]byte(told.Canary.Reveal())))
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if err := os.WriteFile(filepath.Join(logs.Dir(), "a.log"), []byte(told.Canary.Reveal()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		pilot(t, spans, channel.PilotAfter)
		pilot(t, logs, channel.PilotAfter)
		for _, r := range []Report{collect(t, spans), collect(t, logs)} {
			sound(t, r)
			saw(t, r, map[channel.ID]int{"told": sent})
		}
	}
}
