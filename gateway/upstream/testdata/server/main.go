// Command server is a tool server for tests, honest or hostile as its first
// argument says. It speaks just enough JSON-RPC, by hand.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

var version = "one" // set by the linker

func main() {
	mode := "normal"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	// A connection to the test that stays open for as long as this process.
	if beacon := os.Getenv("BEACON"); beacon != "" {
		conn, err := net.Dial("unix", beacon)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(conn, mode)
	}
	switch mode {
	case "silent", "child":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		stay()
	case "parent":
		child := exec.Command("/proc/self/exe", "child")
		if err := child.Start(); err != nil {
			panic(err)
		}
	case "noise":
		os.Stderr.Write(make([]byte, 1<<20))
	}
	serve(mode)
	if mode == "deaf" {
		stay() // stdin has ended
	}
}

// stay never returns. An empty select would: the runtime calls it a deadlock.
func stay() {
	for {
		time.Sleep(time.Hour)
	}
}

func serve(mode string) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(line, &request) != nil || request.ID == nil {
			continue
		}
		switch request.Method {
		case "initialize":
			reply(request.ID, `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
		case "tools/list":
			reply(request.ID, `"result":{"tools":[`+tools(mode)+`]}`)
		case "tools/call":
			reply(request.ID, call(mode, request.Params.Name))
		default:
			reply(request.ID, `"error":{"code":-32601,"message":"method not found"}`)
		}
	}
}

func reply(id json.RawMessage, body string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", id, body)
}

func tools(mode string) string {
	const a = `{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`
	const spaced = `{ "inputSchema": {"properties":{"x":{"type":"string"}},"type":"object"}, "description":"\u0064", "name":"a"}`
	switch mode {
	case "reordered":
		return spaced
	case "redescribed":
		return strings.Replace(a, `"d"`, `"e"`, 1)
	case "reschemed":
		return strings.Replace(a, `"string"`, `"number"`, 1)
	case "twice":
		return a + "," + a
	}
	return a
}

func call(mode, tool string) string {
	text := func(s string) string {
		encoded, _ := json.Marshal(s)
		return `{"type":"text","text":` + string(encoded) + `}`
	}
	content := func(parts ...string) string { return `"result":{"content":[` + strings.Join(parts, ",") + `]}` }
	switch mode {
	case "nags":
		for { // and reads nothing any more
			fmt.Println(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
		}
	case "dies":
		os.Exit(7)
	case "hangs":
		stay()
	case "full":
		return content(text(strings.Repeat("<", 64<<10)))
	case "long":
		return content(text(strings.Repeat("a", 64<<10+1)))
	case "frame":
		io.WriteString(os.Stdout, strings.Repeat(" ", 1<<20))
	case "deep":
		return `"result":{"content":` + strings.Repeat("[", 300<<10) + strings.Repeat("]", 300<<10) + `}`
	case "empty":
		return content()
	case "two":
		return content(text("x"), text("y"))
	case "image":
		return content(`{"type":"image","data":"aGk=","mimeType":"image/png"}`)
	case "link":
		return content(`{"type":"resource_link","uri":"file:///x","name":"x"}`)
	case "structured":
		return `"result":{"content":[` + text("x") + `],"structuredContent":{"secret":"zq7marker"}}`
	case "failed":
		return `"result":{"isError":true,"content":[` + text("zq7marker") + `]}`
	case "refused":
		return `"error":{"code":-32000,"message":"zq7marker"}`
	case "asks":
		return `"result":{"resultType":"input_required","inputRequests":{},"content":[]}`
	case "garbage":
		return `"result":17`
	}
	switch tool {
	case "environment":
		return content(text(strings.Join(os.Environ(), "\n")))
	case "descriptors":
		return content(text(descriptors()))
	case "arguments":
		return content(text(strings.Join(os.Args, "\n")))
	}
	return content(text(version))
}

// descriptors names what is open, except what the Go runtime opens itself:
// its poller and the files of the cgroup.
func descriptors() string {
	var out []string
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		target, err := os.Readlink("/proc/self/fd/" + entry.Name())
		if err != nil || strings.HasPrefix(target, "anon_inode:") || strings.HasPrefix(target, "/proc/") || strings.HasPrefix(target, "/sys/") {
			continue
		}
		out = append(out, entry.Name()+" "+strings.TrimRight(target, "0123456789[]:"))
	}
	return strings.Join(out, "\n")
}
