package main

import (
	"bufio"
	"errors"
	"fmt"
	"regexp"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"postern/gateway/upstream"
)

func gatewayCommand() *cobra.Command {
	var path string
	var pins bool
	cmd := &cobra.Command{
		Use:   "gateway --config FILE",
		Short: "Serve MCP clients through the gateway: policies, ceilings, audit",
		Long: `Stand between an MCP client and its tool servers. The client sees the tools that the
file names, by the names it gives them, and no others. Each call is decided by Cedar
policies, by the label of what the agent may hold and by the ceiling of the tool's
sink, and is a row of the audit log before anything of it is released. What a tool
answers raises the label, and goes to the agent where the ceiling of "agent" lets it.

Without "listen" it serves one client over stdin and stdout, else any number over
streamable HTTP, at /mcp of the address. All of them are one agent with one label:
who comes back has not forgotten. Stopping the gateway forgets; so does a client that
starts it anew. HTTP requests need a Host that is the address (or one of "hosts") and
no Origin (or one of "origins"), and with "token-file" the header Authorization: Bearer.
Without a token it listens on loopback addresses only, where every user of the machine
reaches it. It does not encrypt.

The file is YAML or JSON; paths are relative to it. A tool's arguments are texts, all
required. A program must be linked statically and have the SHA-256 that is given; it
gets the environment that is given and no other. "definition" is the digest of a tool
as its server lists it: leave it out, run with --pins, and write down what it prints
once you have read what the tools claim to do. A tool that is defined otherwise stops
the gateway from starting.

Each tool server is confined, by bubblewrap or else by Landlock, and not started where it
cannot be. "confine" is its tier: standard (reads all but secret places and the gateway's
own files; writes its scratch, temporary files and what "write" names; no network), strict
(reads what its program needs and what "read" names; the network has the "ports" of this
machine) or off. "required: false" starts it unconfined where it cannot be confined, which
stderr says. The scratch is a folder of the guard's directory, which lasts; beside it are
the decisions, in guard-decisions.jsonl. 'postern guard doctor' says what this machine can.

With "telemetry" there is a span of each call for "collector", which takes OTLP over
HTTP at a loopback address, and a line of it in "log". Both have numbers and names of
this file, never what a call or an answer holds, and neither delays a call or stops it:
spans that cannot be sent are lost. Without the key there is nothing of the kind.

Policies see Agent::"agent", Action::"call", the tool by its name at the server, in each of
its groups, and context.sensitivity (the rank of the label, from 1) and context.sink; each has
an @id. README.md has a set to begin with. An audit log has one gateway at a time.

A call that is refused, or that failed, answers with one fixed word: unknown-operation,
bad-arguments, denied-policy, denied-revoked, denied-ceiling, denied-response,
upstream-failed, gateway-unavailable, frame-refused. The audit log says why.

Exit codes: 0 the client left, or it was told to stop and has; 1 over stdio, the client
sent what is no message; 2 a wrong file, or what it names is not so: nothing was served.`,
		Example: `  postern gateway --config gateway.yaml

  # gateway.yaml
  listen: 127.0.0.1:8931        # leave out for stdio
  token-file: token             # openssl rand -hex 32 > token; chmod 600 token
  audit: audit.sqlite
  policies: policies.cedar
  schema: app.cedarschema
  labels: [public, internal, confidential, restricted]   # lowest first
  initial: internal             # of what the agent holds at the start
  ceilings: {vault: restricted, public: public, agent: confidential}
  servers:
    files:
      program: /usr/local/bin/file-server
      sha256: 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef
      args: [--root, /srv/files]
      env: {LANG: C.UTF-8}
      write: [/srv/files]       # a tree that it may write
  tools:
    deliver:
      server: files
      tool: vault_store         # its name at the server
      description: Stores a text in the vault.
      sink: vault
      groups: [approved]        # that policies speak of
      arguments: [text]
      answer: internal          # the label of what it answers
      definition: 2b0af5e36622066aee5b7703e547f7efcb8f5528992e7d76f63b56453be6f424

  # further keys: hosts, origins, audit-keys; of a server: confine, required, read, ports
  telemetry: {collector: 127.0.0.1:4318, log: gateway.log}
  limits: {message: 131072, sessions: 16, idle: 10m, call: 30s}   # the defaults`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := readGatewayFile(path)
			if err != nil {
				return err
			}
			if pins {
				return printPins(cmd, f)
			}
			return serveGateway(cmd, f)
		},
	}
	cmd.Flags().StringVar(&path, "config", "", "what the gateway lets through, as a YAML or JSON `file`")
	cmd.Flags().BoolVar(&pins, "pins", false, "start the tool servers, print the digest of each tool's definition, and end")
	return cmd
}

// listable is the form of a tool's name; a server could list any text.
var listable = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,128}$`)

// printPins asks the servers what they list.
func printPins(cmd *cobra.Command, f gatewayFile) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SERVER\tTOOL\tDEFINITION")
	for _, name := range sortedKeys(f.Servers) {
		listed, err := f.pins(cmd, name)
		if err != nil {
			return fmt.Errorf("--config: server %q: %w", name, err)
		}
		for _, tool := range sortedKeys(listed) {
			shown := tool
			if !listable.MatchString(tool) {
				shown = "(a malformed name)"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", name, shown, listed[tool])
		}
	}
	return printed(out, w.Flush())
}

func (f gatewayFile) pins(cmd *cobra.Command, name string) (listed map[string]string, err error) {
	server, err := f.server(cmd.Context(), name, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	client, err := upstream.Start(cmd.Context(), server)
	if err != nil {
		return nil, advised(err)
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	return client.List(cmd.Context())
}
