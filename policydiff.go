package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"

	"postern/mutants/cedar"
	"postern/mutants/cedar/load"
)

var (
	errNoGit      = errors.New("--diff needs git, and there is none in PATH")
	errNoRevision = errors.New("--diff: the policies are in no git repository that has this revision")
)

// policiesAt are the policies of files as they were at a revision, as Cedar
// prints them. A file that was not there had none.
func policiesAt(ctx context.Context, revision string, files []string) (map[string]bool, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errNoGit
	}
	out := map[string]bool{}
	for _, file := range files {
		dir := filepath.Dir(file)
		commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
		if err != nil {
			return nil, errNoRevision
		}
		id := string(commit[:max(len(commit)-1, 0)]) // without the line's end
		old, err := git(ctx, dir, "cat-file", "blob", id+":./"+filepath.Base(file))
		if err != nil {
			continue
		}
		list, err := load.Parse(file, old)
		if err != nil {
			continue // what did not parse then cannot be the same now
		}
		for _, p := range list {
			out[cedar.Text(p.Tree)] = true
		}
	}
	return out, ctx.Err()
}

func git(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	return exec.CommandContext(ctx, "git", append([]string{"-C", dir}, arguments...)...).Output()
}
