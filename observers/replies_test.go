package observers

import (
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// What an agent is sent is heard, and told apart from pilots.
func TestRepliesAreHeard(t *testing.T) {
	for _, sent := range []int{0, 1, 2} {
		key := canary.NewKey()
		entry := func(id channel.ID) canary.Entry { return canary.Entry{ID: id, Canary: key.Mint("t", id)} }
		before, after, told := entry(channel.PilotBefore), entry(channel.PilotAfter), entry("told")
		watch, err := canary.NewWatch([]canary.Entry{before, after, told})
		if err != nil {
			t.Fatal(err)
		}
		replies := NewReplies(watch, Pilots{Before: before.Canary, After: after.Canary})
		defer replies.Close()
		pilot(t, replies, channel.PilotBefore)
		replies.Take("stored")
		for range sent {
			replies.Take(`stored {"note":"` + told.Canary.Reveal() + `"}`)
		}
		pilot(t, replies, channel.PilotAfter)
		r := collect(t, replies)
		sound(t, r)
		saw(t, r, map[channel.ID]int{"told": sent})
	}
}
