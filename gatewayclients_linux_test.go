package main

import (
	"context"
	"os/exec"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	othermcp "github.com/mark3labs/mcp-go/client"
	otherwire "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpClient is what the tests ask of an MCP client, whoever wrote it.
type mcpClient struct {
	tools func() ([]string, error)
	call  func(tool, text string) (answer string, failed bool, err error)
	close func() error
}

func sdkClient(t *testing.T, transport mcp.Transport) mcpClient {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: marker, Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mcpClient{
		tools: func() (names []string, err error) {
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil {
				return nil, err
			}
			for _, tool := range listed.Tools {
				names = append(names, tool.Name+": "+tool.Description)
			}
			return names, nil
		},
		call: func(tool, text string) (string, bool, error) {
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]string{"text": text}, Meta: mcp.Meta{"note": marker}})
			if err != nil {
				return "", false, err
			}
			return r.Content[0].(*mcp.TextContent).Text, r.IsError, nil
		},
		close: session.Close,
	}
}

// otherClient is one that the SDK's authors did not write.
func otherClient(t *testing.T, c *othermcp.Client) mcpClient {
	t.Helper()
	if err := c.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	var hello otherwire.InitializeRequest
	hello.Params.ProtocolVersion = "2025-06-18"
	hello.Params.ClientInfo = otherwire.Implementation{Name: marker, Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	return mcpClient{
		tools: func() (names []string, err error) {
			listed, err := c.ListTools(t.Context(), otherwire.ListToolsRequest{})
			if err != nil {
				return nil, err
			}
			for _, tool := range listed.Tools {
				names = append(names, tool.Name+": "+tool.Description)
			}
			return names, nil
		},
		call: func(tool, text string) (string, bool, error) {
			var r otherwire.CallToolRequest
			r.Params.Name, r.Params.Arguments = tool, map[string]any{"text": text}
			answer, err := c.CallTool(t.Context(), r)
			if err != nil {
				return "", false, err
			}
			return answer.Content[0].(otherwire.TextContent).Text, answer.IsError, nil
		},
		close: c.Close,
	}
}

// Two clients, two transports, and what the public must not have: the very same
// words for all of them.
func TestGatewayServesClientsThatOthersWrote(t *testing.T) {
	for name, connect := range map[string]func(t *testing.T, lab *gatewayLab) (c mcpClient, ended func()){
		"go-sdk over stdio": func(t *testing.T, lab *gatewayLab) (mcpClient, func()) {
			command := lab.command(t)
			c := sdkClient(t, &mcp.CommandTransport{Command: command})
			return c, leaves(t, c, command)
		},
		"go-sdk over HTTP": func(t *testing.T, lab *gatewayLab) (mcpClient, func()) {
			p := lab.http().serve(t)
			c := sdkClient(t, &mcp.StreamableClientTransport{Endpoint: p.url})
			return c, func() { c.close(); p.stop(t, syscall.SIGTERM) }
		},
		"mcp-go over stdio": func(t *testing.T, lab *gatewayLab) (mcpClient, func()) {
			command := lab.command(t)
			started, err := othermcp.NewStdioMCPClient(command.Path, nil, command.Args[1:]...)
			if err != nil {
				t.Fatal(err)
			}
			c := otherClient(t, started)
			return c, func() {
				if err := c.close(); err != nil {
					t.Errorf("the gateway ended with %v", err)
				}
			}
		},
		"mcp-go over HTTP": func(t *testing.T, lab *gatewayLab) (mcpClient, func()) {
			p := lab.http().serve(t)
			made, err := othermcp.NewStreamableHttpClient(p.url)
			if err != nil {
				t.Fatal(err)
			}
			c := otherClient(t, made)
			return c, func() { c.close(); p.stop(t, syscall.SIGINT) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			lab := newGatewayLab(t)
			c, ended := connect(t, lab)
			tools, err := c.tools()
			slices.Sort(tools)
			if diff := cmp.Diff([]string{"deliver: The operator's words.", "publish: The operator's words."}, tools); diff != "" || err != nil {
				t.Error(diff, err)
			}
			for _, ask := range []struct {
				tool, text, answer string
				failed             bool
			}{
				{"publish", marker, "denied-ceiling", true},
				{"vault_store", marker, "unknown-operation", true},
				{marker, marker, "unknown-operation", true},
				{"deliver", marker, marker, false},
			} {
				if answer, failed, err := c.call(ask.tool, ask.text); answer != ask.answer || failed != ask.failed || err != nil {
					t.Errorf("%s answers %q, %v, %v", ask.tool, answer, failed, err)
				}
			}
			ended()
			if vault, public := lab.sink.heard("vault_store"), lab.sink.heard("public_post"); vault != 1 || public != 0 {
				t.Errorf("the vault received %d calls, the public tool %d", vault, public)
			}
			if got := lab.audited(t, 1); got.Rows != 6 { // three refusals, a permit, a release, the end
				t.Errorf("%d rows", got.Rows)
			}
		})
	}
}

// leaves closes a client of a command, which the SDK waits for.
func leaves(t *testing.T, c mcpClient, command *exec.Cmd) func() {
	return func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
		if code := command.ProcessState.ExitCode(); code != exitOK {
			t.Errorf("exit code %d", code)
		}
	}
}
