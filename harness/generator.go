package harness

import (
	"context"
	"os/exec"
	"runtime/debug"
	"strings"

	"postern/reports"
)

// Built says which Postern this is, as far as the toolchain recorded it.
func Built() reports.Generator {
	g := reports.Generator{Name: "postern", Version: "dev", Commit: reports.Unknown}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				g.Commit = s.Value
			case "vcs.modified":
				g.Modified = s.Value == "true"
			}
		}
	}
	return g
}

// generator is the same, or what git says of the sources from which the agent
// was just built.
func generator(ctx context.Context) reports.Generator {
	g := Built()
	if g.Commit == reports.Unknown {
		if commit, err := git(ctx, "rev-parse", "HEAD"); err == nil {
			changes, err := git(ctx, "status", "--porcelain")
			g.Commit, g.Modified = commit, changes != "" || err != nil
		}
	}
	return g
}

func git(ctx context.Context, arguments ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", arguments...).Output()
	return strings.TrimSpace(string(out)), err
}
