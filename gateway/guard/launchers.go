package guard

import (
	"slices"
	"strings"
)

// launchers are the programs that fetch what they run when they start.
var launchers = []string{
	"bun", "bunx", "cargo", "conda", "corepack", "deno", "docker", "dnx", "dotnet", "go", "mamba", "nerdctl", "nix",
	"npm", "npx", "pip", "pip3", "pipx", "pixi", "pnpm", "pnpx", "podman", "poetry", "rye", "uv", "uvx", "yarn",
}

// wrappers start the program that their arguments name.
var wrappers = []string{"env", "nice", "nohup", "setsid", "stdbuf", "timeout", "time", "xargs"}

// Fetches reports whether a command starts with a launcher: by its base name,
// with case and the usual extensions folded, behind wrappers that only start it.
func Fetches(command []string) bool {
	for _, word := range command {
		name := program(word)
		switch {
		case slices.Contains(launchers, name):
			return true
		case slices.Contains(wrappers, name), strings.HasPrefix(word, "-"), strings.Contains(word, "="):
			continue // env -i NAME=value npx
		default:
			return false
		}
	}
	return false
}

// program is the base name of a path in the style of any system.
func program(word string) string {
	word = strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:])
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1", ".com"} {
		word = strings.TrimSuffix(word, extension)
	}
	return word
}
