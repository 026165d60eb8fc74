package main

import (
	"encoding/json"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// startServer does what a client does: it starts a server as its file says, and
// demands its exit code: start N FILE SERVER.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: start N FILE SERVER")
	}
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(ts.ReadFile(args[1])), &file); err != nil {
		ts.Fatalf("reading the client's file: %v", err)
	}
	server, there := file.Servers[args[2]]
	if _, err := strconv.Atoi(args[0]); err != nil || !there {
		ts.Fatalf("the client's file has no such server, or the code is no number")
	}
	code(ts, false, append([]string{args[0], server.Command}, server.Args...))
}
