package gateway

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/mcpserver"
)

// What an MCP client says beside the arguments of its call, with what must not go
// on in every place that the protocol has for it.
const (
	clientHello  = `{"jsonrpc":"2.0","id":"` + planted + `-0","method":"initialize","params":{"_meta":{"note":"` + planted + `"},"protocolVersion":"2025-06-18","capabilities":{"experimental":{"` + planted + `":{}}},"clientInfo":{"name":"` + planted + `","version":"` + planted + `"}}}`
	clientReady  = `{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{"note":"` + planted + `"}}}`
	clientCalls  = `{"jsonrpc":"2.0","id":"` + planted + `","method":"tools/call","params":{"_meta":{"note":"` + planted + `","progressToken":"` + planted + `"},"name":"deliver","arguments":{"text":"` + secret + `"}}}`
	clientLeaves = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"_meta":{"note":"` + planted + `"},"requestId":"` + planted + `","reason":"` + planted + `"}}`
)

// Whether the call is answered or taken back, the server reads its arguments, the
// gateway's own number and a fixed reason.
func TestOfAnMCPClientTheServerReadsOnlyArguments(t *testing.T) {
	called := numbered(`{"jsonrpc":"2.0","id":$ID,"method":"tools/call","params":{"name":"vault_store","arguments":{"text":"`+secret+`"}}}`, len(handshake))
	taken := numbered(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"context canceled","requestId":$ID}}`, len(handshake))
	for mode, reads := range map[string][]string{"honest": {called}, "slow": {called, taken}} {
		t.Run(mode, func(t *testing.T) {
			far := newFarEnd(t)
			s := newTold(t, http.StatusOK, func(c *Config) { far.serve(c, mode) })
			in, client := io.Pipe()
			answers, out := io.Pipe()
			served := make(chan error, 1)
			go func() {
				err := mcpserver.New(nil, mcpserver.Limits{}, s.Handle).ServeStdio(t.Context(), in, out, func() {})
				out.Close()
				served <- err
			}()
			from := bufio.NewReader(answers)
			io.WriteString(client, clientHello+"\n")
			if _, err := from.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			io.WriteString(client, clientReady+"\n"+clientCalls+"\n")
			if len(reads) > 1 {
				far.until(t, `"tools/call"`)
				io.WriteString(client, clientLeaves+"\n")
				far.until(t, "notifications/cancelled")
			} else if _, err := from.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			client.Close()
			rest, _ := io.ReadAll(from)
			if err := <-served; err != nil {
				t.Error(err)
			}
			s.silent(t, "vault_store") // closes the session
			far.until(t, "")
			if diff := cmp.Diff(append(append([]string{}, handshake...), reads...), far.read()); diff != "" {
				t.Errorf("the server reads:\n%s", diff)
			}
			s.holdsNothing(t, strings.ReplaceAll(string(rest), `"id":"`+planted+`"`, "")) // a request's own id comes back
		})
	}
}
