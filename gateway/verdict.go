package gateway

import (
	"postern/gateway/bridge"
	"postern/gateway/policy"
)

// verdict is what an audit row says of a call or of its answer. Besides these
// there are the codes of package policy that deny.
type verdict string

const (
	unknownOperation verdict = "unknown-operation"
	revoked          verdict = "revoked" // by the operator, or admission is closed
	badArguments     verdict = "bad-arguments"
	deniedCeiling    verdict = "deny-ceiling"
	permitted        verdict = verdict(policy.Permit)
	released         verdict = "response-released"
	deniedResponse   verdict = "response-denied"
	upstreamFailed   verdict = "upstream-failed"

	unavailable verdict = "unavailable" // never in a row: there was none
)

// denial is the verdict of a policy decision that did not permit.
func denial(code policy.Code) verdict {
	switch code {
	case policy.DenyDefault, policy.DenyPolicy, policy.DenyRequest:
		return verdict(code)
	default: // what is not known counts as what could not be evaluated
		return verdict(policy.DenyError)
	}
}

// refuse is the reply to a call whose verdict is not a release. The agent
// does not learn which policy or which step of the policy denied.
func refuse(v verdict) bridge.Reply {
	switch v {
	case unknownOperation, badArguments:
		return bridge.Reply{Code: string(v)}
	case verdict(policy.DenyDefault), verdict(policy.DenyPolicy), verdict(policy.DenyError), verdict(policy.DenyRequest):
		return bridge.Reply{Code: "denied-policy"}
	case revoked:
		return bridge.Reply{Code: "denied-revoked"}
	case deniedCeiling:
		return bridge.Reply{Code: "denied-ceiling"}
	case deniedResponse:
		return bridge.Reply{Code: "denied-response"}
	case upstreamFailed:
		return bridge.Reply{Code: "upstream-failed", Fatal: bridge.UpstreamFailed}
	default:
		return bridge.Reply{Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable}
	}
}
