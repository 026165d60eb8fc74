package canary_test

import (
	"regexp"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

func TestMintDependsOnEverything(t *testing.T) {
	key := canary.NewKey()
	seen := map[string]string{}
	for name, c := range map[string]canary.Canary{
		"one":           key.Mint("trial", channel.NetTCP4),
		"other channel": key.Mint("trial", channel.NetTCP6),
		"other trial":   key.Mint("trial2", channel.NetTCP4),
		"moved border":  key.Mint("trialn", "et.tcp4"),
		"other key":     canary.NewKey().Mint("trial", channel.NetTCP4),
	} {
		text := c.Reveal()
		if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(text) {
			t.Errorf("%s: not 32 lower-case digits", name)
		}
		if other, dup := seen[text]; dup {
			t.Errorf("%s and %s are the same canary", name, other)
		}
		seen[text] = name
	}
	if key.Mint("trial", channel.NetTCP4).Reveal() != key.Mint("trial", channel.NetTCP4).Reveal() {
		t.Error("the same key, trial and channel gave two canaries")
	}
}

func TestZeroMintsNothingAndWatchesNothing(t *testing.T) {
	var key canary.Key
	c := key.Mint("trial", channel.NetTCP4)
	if c.Reveal() != "" {
		t.Error("the zero key minted a canary")
	}
	if _, err := canary.NewWatch([]canary.Entry{{ID: channel.NetTCP4, Canary: c}}); err == nil {
		t.Error("a watch took the zero canary")
	}
	if _, err := canary.NewWatch(nil); err == nil {
		t.Error("a watch took an empty set")
	}
}

func TestParse(t *testing.T) {
	text := canary.NewKey().Mint("t", channel.NetTCP4).Reveal()
	c, err := canary.Parse(text)
	if err != nil || c.Reveal() != text {
		t.Error("a canary's own text was not taken back")
	}
	for _, bad := range []string{"", text[1:], text + "00", "A" + text[1:], "g" + text[1:], " " + text[1:], "00000000000000000000000000000000"} {
		if c, err := canary.Parse(bad); err == nil || c.Reveal() != "" {
			t.Errorf("text of %d bytes was taken", len(bad))
		}
	}
}
