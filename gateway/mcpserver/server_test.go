package mcpserver

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

func said(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }

// Whatever becomes of a call, a client reads a fixed word or what was released.
func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		call   Call
		want   string
		failed bool
	}{
		"released": {func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Text: "zq7"} }, "zq7", false},
		"refused":  {func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Code: "denied-ceiling"} }, "denied-ceiling", true},
		"a panic":  {func(context.Context, frame.Call) bridge.Reply { panic("zq7") }, "gateway-unavailable", true},
		"no word":  {func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Code: "zq7: no"} }, "gateway-unavailable", true},
		"time": {func(ctx context.Context, _ frame.Call) bridge.Reply {
			<-ctx.Done()
			return bridge.Reply{Code: "upstream-failed"}
		}, "upstream-failed", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(nil, Limits{Call: time.Millisecond}, c.call)
			if r := s.answer(context.Background(), "deliver", nil); said(r) != c.want || r.IsError != c.failed {
				t.Errorf("answers %q", said(r))
			}
		})
	}
}

func TestLimits(t *testing.T) {
	if err := DefaultLimits().Validate(); err != nil {
		t.Error(err)
	}
	for _, l := range []Limits{
		{Message: -1}, {Message: frame.MaxBytes + 1}, {Sessions: -1}, {Sessions: 1025}, {Idle: -1}, {Idle: 25 * time.Hour}, {Call: -1}, {Call: time.Hour},
	} {
		if l.Validate() == nil {
			t.Errorf("%+v passes", l)
		}
	}
}

func TestAccess(t *testing.T) {
	const token = "0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		name    string
		address string
		access  Access
		ok      bool
	}{
		{"loopback", "127.0.0.1:0", Access{}, true},
		{"all of loopback", "127.1.2.3:0", Access{}, true},
		{"loopback of IPv6", "[::1]:0", Access{}, true},
		{"loopback with a token", "127.0.0.1:0", Access{Token: token}, true},
		{"a network", "192.0.2.1:0", Access{}, false},
		{"a network with a token", "192.0.2.1:0", Access{Token: token}, true},
		{"a network with a short token", "192.0.2.1:0", Access{Token: token[1:]}, false},
		{"everywhere", "0.0.0.0:0", Access{Hosts: []string{"a"}}, false},
		{"everywhere, by no name", "[::]:0", Access{Token: token}, false},
		{"everywhere, by a name", "[::]:0", Access{Token: token, Hosts: []string{"a"}}, true},
		{"loopback in IPv6's clothes", "[::ffff:127.0.0.1]:0", Access{}, true},
		{"a network in IPv6's clothes", "[::ffff:192.0.2.1]:0", Access{}, false},
		{"nowhere", "", Access{}, false},
	} {
		c.access.Address, _ = netip.ParseAddrPort(c.address)
		if err := c.access.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
