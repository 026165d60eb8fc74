// Package clients knows the files in which MCP clients keep the servers that
// they start, and wraps and unwraps a server's entry in the bytes of such a
// file.
//
// It promises that what is wrapped and unwrapped is, byte for byte, what it was;
// that nothing changes but the command and the arguments of the entries that
// are named; and that at every instant the old or the new file is there in full.
// It does not know the files that clients keep in projects, nor those that are
// no JSON.
package clients

import (
	"path/filepath"
	"strings"

	"postern/gateway/guard"
)

// Client is a program that starts tool servers as its file says.
type Client struct {
	ID     string     // permanent: the store names it
	Name   string     // as its users know it
	Linux  string     // the file, below the user's home
	Mac    string     // on macOS
	Keys   [][]string // the ways to objects of servers in it; "*" is every key
	Dollar bool       // it replaces $NAME in commands; every client may replace ${NAME}
}

var (
	mcpServers = [][]string{{"mcpServers"}}
	extensions = "Code/User/globalStorage/"
	support    = "Library/Application Support/"
)

// All are the clients that are known, by the documentation of each.
func All() []Client {
	return []Client{
		{ID: "claude-desktop", Name: "Claude Desktop", Linux: ".config/Claude/claude_desktop_config.json", Mac: support + "Claude/claude_desktop_config.json", Keys: mcpServers},
		{ID: "claude-code", Name: "Claude Code", Linux: ".claude.json", Mac: ".claude.json", Keys: [][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}}},
		same("cursor", "Cursor", ".cursor/mcp.json", mcpServers),
		same("windsurf", "Windsurf", ".codeium/windsurf/mcp_config.json", mcpServers),
		{ID: "vscode", Name: "VS Code", Linux: ".config/Code/User/mcp.json", Mac: support + "Code/User/mcp.json", Keys: [][]string{{"servers"}}},
		{ID: "vscode-insiders", Name: "VS Code Insiders", Linux: ".config/Code - Insiders/User/mcp.json", Mac: support + "Code - Insiders/User/mcp.json", Keys: [][]string{{"servers"}}},
		same("zed", "Zed", ".config/zed/settings.json", [][]string{{"context_servers"}}),
		{ID: "gemini-cli", Name: "Gemini CLI", Linux: ".gemini/settings.json", Mac: ".gemini/settings.json", Keys: mcpServers, Dollar: true},
		{ID: "copilot-cli", Name: "Copilot CLI", Linux: ".copilot/mcp-config.json", Mac: ".copilot/mcp-config.json", Keys: mcpServers, Dollar: true},
		extension("cline", "Cline", "saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
		extension("roo-code", "Roo Code", "rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
		same("kiro", "Kiro", ".kiro/settings/mcp.json", mcpServers),
		same("amazon-q", "Amazon Q Developer", ".aws/amazonq/mcp.json", mcpServers),
		same("lm-studio", "LM Studio", ".lmstudio/mcp.json", mcpServers),
	}
}

// same is a client whose file has one place on every system.
func same(id, name, place string, keys [][]string) Client {
	return Client{ID: id, Name: name, Linux: place, Mac: place, Keys: keys}
}

// extension is a client that lives in VS Code.
func extension(id, name, place string) Client {
	return Client{ID: id, Name: name, Linux: ".config/" + extensions + place, Mac: support + extensions + place, Keys: mcpServers}
}

// Path is where the client's file would be.
func (c Client) Path(m guard.Machine) string {
	if m.OS == "darwin" {
		return filepath.Join(m.Home, c.Mac)
	}
	if rest, ok := strings.CutPrefix(c.Linux, ".config/"); ok && filepath.IsAbs(m.Config) {
		return filepath.Join(m.Config, rest)
	}
	return filepath.Join(m.Home, c.Linux)
}
