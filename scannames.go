package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"postern/observers/canary/scan"
)

const (
	nameWord   = "name/"
	hiddenName = "[canary]"
	treeLimit  = 64 << 20 // bytes of names of one path that are searched together

	guessesForNames = 96 << 10 // bytes of doubtful readings of one name
)

// tree is what is known of the names below one path.
type tree struct {
	paths []string
	size  int
	cut   bool
	found map[int]bool // secrets that a name holds, or the names of one folder
}

func (t *tree) add(path string) {
	if t.size += len(path) + 1; t.size > treeLimit {
		t.cut = true
		return
	}
	t.paths = append(t.paths, path)
}

func (t *tree) finds(hits []scan.Hit) {
	if t.found == nil {
		t.found = map[int]bool{}
	}
	for _, h := range hits {
		t.found[h.Secret] = true
	}
}

// name searches one name.
func (w *walk) name(ctx context.Context, name string, r *scanned) {
	result := w.names.Bytes(ctx, []byte(name))
	w.tree.finds(result.Hits)
	r.add(nameWord, result)
}

// folder searches the names in it, each and together, before anything is told
// of what they name: a name that holds a canary is not shown.
func (w *walk) folder(ctx context.Context, e entry) {
	listed, err := os.ReadDir(e.path) // sorted
	if err != nil {
		w.tell(unreadable(e, err))
	}
	names := make([]string, len(listed))
	results := make([]scan.Result, len(listed))
	for i, l := range listed {
		names[i] = l.Name()
	}
	w.each(len(names), func(i int) { results[i] = w.names.Bytes(ctx, []byte(names[i])) })
	for _, r := range results {
		w.tree.finds(r.Hits)
	}
	together := &scanned{shown: e.shown}
	spread := w.together(ctx, names, together)
	w.tell(together)
	for i, l := range listed {
		if ctx.Err() != nil {
			return
		}
		shown := names[i]
		if spread || len(results[i].Hits) > 0 {
			shown = hiddenName
		}
		w.child(ctx, entry{path: filepath.Join(e.path, names[i]), shown: filepath.Join(e.shown, shown)}, l, results[i])
	}
}

func (w *walk) child(ctx context.Context, e entry, listed fs.DirEntry, name scan.Result) {
	own := &scanned{shown: e.shown}
	own.add(nameWord, name)
	w.tell(own)
	w.tree.add(e.path)
	var err error
	if e.info, err = listed.Info(); err != nil {
		w.tell(unreadable(e, err))
		return
	}
	w.entry(ctx, e)
}

// together searches names as one piece, and reports whether they hold a canary
// that none of them holds alone.
func (w *walk) together(ctx context.Context, names []string, r *scanned) bool {
	if len(names) < 2 {
		return false
	}
	spread := false
	alone := w.tree.found
	for _, between := range []string{"\n", "\x00", ""} {
		result := w.scanner.Bytes(ctx, []byte(strings.Join(names, between)))
		result.Hits = slices.DeleteFunc(result.Hits, func(h scan.Hit) bool { return alone[h.Secret] })
		spread = spread || len(result.Hits) > 0
		r.add(nameWord, result)
	}
	w.tree.finds(r.hits)
	return spread
}

// whole searches all paths below one as one piece.
func (w *walk) whole(ctx context.Context, e entry) *scanned {
	r := &scanned{shown: e.shown}
	w.together(ctx, w.tree.paths, r)
	if w.tree.cut {
		r.unread = true
		r.notes = append(r.notes, "not searched together: its names, which are too many")
	}
	return r
}

// redact replaces each name of a path that holds a canary, or all of them where
// they do together.
func (w *walk) redact(ctx context.Context, path string) string {
	if !w.holds(ctx, path) {
		return path
	}
	parts := strings.Split(path, string(filepath.Separator))
	for i, part := range parts {
		if w.holds(ctx, part) {
			parts[i] = hiddenName
		}
	}
	if path = strings.Join(parts, string(filepath.Separator)); w.holds(ctx, path) {
		return hiddenName
	}
	return path
}

func (w *walk) holds(ctx context.Context, text string) bool {
	return len(w.names.Bytes(context.WithoutCancel(ctx), []byte(text)).Hits) > 0
}
