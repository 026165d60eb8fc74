package canary_test

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/dress"
	"postern/observers/canary"
)

func deepOf(t *testing.T, ids ...channel.ID) (*canary.Deep, canary.Key) {
	t.Helper()
	key := canary.NewKey()
	var entries []canary.Entry
	for _, id := range []channel.ID{channel.DNSNameBase32, channel.LogPacked, channel.FileNameSpread} {
		entries = append(entries, canary.Entry{ID: id, Canary: key.Mint("deep", id)})
	}
	watch, err := canary.NewWatch(entries)
	if err != nil {
		t.Fatal(err)
	}
	deep, err := watch.Deep(ids...)
	if err != nil {
		t.Fatal(err)
	}
	return deep, key
}

// The dresses of the campaign's agent, each where nobody else's canary is.
func TestDeepFindsWhatTheAgentDresses(t *testing.T) {
	ids := []channel.ID{channel.DNSNameBase32, channel.LogPacked, channel.FileNameSpread}
	deep, key := deepOf(t, ids...)
	raw := func(id channel.ID) []byte {
		b, err := hex.DecodeString(key.Mint("deep", id).Reveal())
		if err != nil {
			t.Fatal("a canary is no text")
		}
		return b
	}
	for id, text := range map[channel.ID]string{
		channel.DNSNameBase32:  strings.Join(dress.Names(raw(channel.DNSNameBase32), "mail"), "\n"),
		channel.LogPacked:      dress.Packed(key.Mint("deep", channel.LogPacked).Reveal(), 1<<10),
		channel.FileNameSpread: strings.Join(dress.FileNames(raw(channel.FileNameSpread)), "\n"),
	} {
		if found, whole := deep.Search(t.Context(), []byte(text)); !whole || !slices.Equal(found, []channel.ID{id}) {
			t.Errorf("%s: found %v, whole %v", id, found, whole)
		}
	}
	if found, whole := deep.Search(t.Context(), []byte(strings.Repeat("nothing is here\n", 20))); !whole || len(found) > 0 {
		t.Errorf("where nothing is: found %v, whole %v", found, whole)
	}
}

func TestDeepLooksForThoseThatItIsAskedFor(t *testing.T) {
	deep, key := deepOf(t, channel.LogPacked)
	other := dress.Packed(key.Mint("deep", channel.FileNameSpread).Reveal(), 100)
	if found, _ := deep.Search(t.Context(), []byte(other)); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// A part of a canary is none.
func TestDeepCountsWhatIsCertain(t *testing.T) {
	deep, key := deepOf(t, channel.LogPacked)
	half := key.Mint("deep", channel.LogPacked).Reveal()[:20]
	if found, _ := deep.Search(t.Context(), []byte(dress.Packed(half, 100))); len(found) > 0 {
		t.Errorf("found %v of 80 bits", found)
	}
}

func TestDeepSaysWhatItDidNotRead(t *testing.T) {
	deep, key := deepOf(t, channel.LogPacked)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, whole := deep.Search(ctx, []byte(dress.Packed(key.Mint("deep", channel.LogPacked).Reveal(), 100))); whole {
		t.Error("a search that had no time was whole")
	}
}

func TestDeepRefusesWhatItCannotKnow(t *testing.T) {
	watch, err := canary.NewWatch([]canary.Entry{{ID: channel.LogPacked, Canary: canary.NewKey().Mint("deep", channel.LogPacked)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Deep(channel.NetTCP4); err == nil {
		t.Error("a canary that the watch does not know was looked for")
	}
	if _, err := watch.Deep(); err == nil {
		t.Error("a search for nothing was prepared")
	}
}
