package harness

import (
	"net/netip"
	"testing"
)

func TestBroadcast(t *testing.T) {
	for gateway, want := range map[string]string{
		"172.17.0.1/16": "172.17.255.255", "10.1.2.3/24": "10.1.2.255", "10.1.2.65/27": "10.1.2.95", "10.0.0.1/32": "10.0.0.1",
	} {
		if got := (segment{gateway: netip.MustParsePrefix(gateway)}).broadcast().String(); got != want {
			t.Errorf("%s: %s, want %s", gateway, got, want)
		}
	}
}
