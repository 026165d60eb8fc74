package gateway

import (
	"testing"

	"postern/gateway/bridge"
	"postern/gateway/policy"
)

func TestEveryVerdictHasItsReply(t *testing.T) {
	for v, want := range map[verdict]bridge.Reply{
		unknownOperation:           {Code: "unknown-operation"},
		badArguments:               {Code: "bad-arguments"},
		denial(policy.DenyDefault): {Code: "denied-policy"},
		denial(policy.DenyPolicy):  {Code: "denied-policy"},
		denial(policy.DenyError):   {Code: "denied-policy"},
		denial(policy.DenyRequest): {Code: "denied-policy"},
		deniedCeiling:              {Code: "denied-ceiling"},
		deniedResponse:             {Code: "denied-response"},
		upstreamFailed:             {Code: "upstream-failed", Fatal: bridge.UpstreamFailed},
		unavailable:                {Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable},
		"":                         {Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable},
		permitted:                  {Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable},
		released:                   {Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable},
	} {
		if got := refuse(v); got != want {
			t.Errorf("%q: %+v", v, got)
		}
	}
}

// A decision that did not permit never becomes the verdict that releases.
func TestADenialIsNeverARelease(t *testing.T) {
	for _, code := range []policy.Code{"", policy.Permit, "else"} {
		if got := denial(code); got != verdict(policy.DenyError) {
			t.Errorf("%q: %q", code, got)
		}
	}
}
