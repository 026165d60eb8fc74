package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sync/semaphore"

	"postern/observers/canary/scan"
)

// walk goes through paths and has each file, name and attribute searched.
type walk struct {
	scanner *scan.Scanner
	names   *scan.Scanner // for single names, which are many and short
	keyFile fs.FileInfo
	options scanOptions
	stdin   io.Reader

	out    chan *scanned
	busy   chan struct{} // a place for each file at once
	memory *semaphore.Weighted
	read   atomic.Int64
	linked map[fileID]bool // files with several names that were read
	tree   tree            // of the path that is walked
}

// scanned is what one file or folder came to, once done is closed.
type scanned struct {
	shown  string // the path, without canaries
	file   bool
	hits   []scan.Hit
	false  int
	bytes  int64
	notes  []string // for stderr
	unread bool
	done   chan struct{}
}

// entry is a path, and how it may be shown.
type entry struct {
	path, shown string
	info        fs.FileInfo
	given       bool // on the command line
}

// What files may take of memory at once, about: a file of some size takes as
// much for itself and more for what lies below.
const (
	memoryForFiles = 2 << 30
	memoryForOne   = 1 << 30
	memoryPerByte  = 4
	memoryAtLeast  = 1 << 20
)

// start returns the results in the order of the paths.
func (w *walk) start(ctx context.Context, paths []string) *walk {
	w.out = make(chan *scanned, 4*w.options.parallel)
	w.busy = make(chan struct{}, w.options.parallel)
	w.memory = semaphore.NewWeighted(memoryForFiles)
	w.linked = map[fileID]bool{}
	go func() {
		defer close(w.out)
		for _, path := range paths {
			if path == "-" {
				w.spawn(ctx, memoryForOne, &scanned{shown: "-", file: true}, func(r *scanned) { w.content(ctx, w.stdin, r) })
				continue
			}
			w.argument(ctx, path)
		}
	}()
	return w
}

// spawn has something done beside the walk, when there is room for it.
func (w *walk) spawn(ctx context.Context, memory int64, r *scanned, do func(*scanned)) {
	r.done = make(chan struct{})
	if w.memory.Acquire(ctx, memory) != nil {
		return // interrupted
	}
	w.busy <- struct{}{}
	w.out <- r
	go func() {
		defer func() { close(r.done); w.memory.Release(memory); <-w.busy }()
		do(r)
	}()
}

// tell passes on what is known at once.
func (w *walk) tell(r *scanned) {
	r.done = make(chan struct{})
	close(r.done)
	w.out <- r
}

func (w *walk) argument(ctx context.Context, path string) {
	e := entry{path: path, shown: w.redact(ctx, path), given: true}
	info, err := os.Stat(path)
	if err != nil {
		w.tell(unreadable(e, err))
		return
	}
	e.info = info
	w.tree = tree{}
	names := &scanned{shown: e.shown}
	w.name(ctx, filepath.Base(path), names)
	if link, err := os.Readlink(path); err == nil {
		w.name(ctx, link, names)
	}
	w.tell(names)
	w.entry(ctx, e)
	if info.IsDir() {
		w.tell(w.whole(ctx, e))
	}
}

func (w *walk) entry(ctx context.Context, e entry) {
	switch mode := e.info.Mode(); {
	case ctx.Err() != nil:
	case mode.IsDir():
		w.attributes(ctx, e)
		w.folder(ctx, e)
	case mode.IsRegular():
		w.file(ctx, e)
	case mode&fs.ModeSymlink != 0:
		w.link(ctx, e)
	default:
		w.special(e, mode)
	}
}

func unreadable(e entry, err error) *scanned {
	return &scanned{shown: e.shown, unread: true, notes: []string{"not read: " + plainError(err).Error()}}
}

// special names what is not opened. Pipes and sockets hold nothing that could
// have been left unread, unless the user asked for one.
func (w *walk) special(e entry, mode fs.FileMode) {
	r := &scanned{shown: e.shown, unread: e.given}
	switch {
	case mode&fs.ModeNamedPipe != 0:
		r.notes = []string{"not opened: a pipe; '-' reads stdin"}
	case mode&fs.ModeSocket != 0:
		r.notes = []string{"not opened: a socket"}
	default:
		r.notes, r.unread = []string{"not opened: a device"}, true
	}
	w.tell(r)
}

func (w *walk) link(ctx context.Context, e entry) {
	target, err := os.Readlink(e.path)
	if err != nil {
		w.tell(unreadable(e, err))
		return
	}
	r := &scanned{shown: e.shown}
	w.name(ctx, target, r)
	w.tell(r)
}

func (w *walk) file(ctx context.Context, e entry) {
	if os.SameFile(e.info, w.keyFile) {
		w.tell(&scanned{shown: e.shown, notes: []string{"left out: the key file itself"}})
		return
	}
	if id, several := identify(e.info); several {
		if w.linked[id] {
			return
		}
		w.linked[id] = true
	}
	memory := min(memoryAtLeast+memoryPerByte*e.info.Size(), memoryForOne)
	w.spawn(ctx, memory, &scanned{shown: e.shown, file: true}, func(r *scanned) {
		w.addAttributes(ctx, e, r)
		f, err := os.OpenFile(e.path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // not to wait where it has become a pipe
		if err != nil {
			*r = scanned{shown: r.shown, hits: r.hits, done: r.done, unread: true, notes: append(r.notes, "not read: "+plainError(err).Error())}
			return
		}
		defer f.Close()
		w.content(ctx, f, r)
	})
}

// content searches bytes within the time for one file.
func (w *walk) content(ctx context.Context, in io.Reader, r *scanned) {
	ctx, stop := context.WithTimeout(ctx, w.options.timeout)
	defer stop()
	result, n, err := w.scanner.Read(ctx, &counted{in, &w.read})
	r.bytes = n
	r.add("", result)
	if err != nil {
		r.unread = true
		r.notes = append(r.notes, "not read to its end: "+plainError(err).Error())
	}
}

// counted tells how much was read, for the progress.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// add takes over a result. What is no content has no offset in the file.
func (r *scanned) add(prefix string, result scan.Result) {
	for _, h := range result.Hits {
		if prefix != "" {
			h.Technique, h.Offset = prefix+h.Technique, 0
		}
		if !slices.ContainsFunc(r.hits, func(old scan.Hit) bool { return old == h }) {
			r.hits = append(r.hits, h)
		}
	}
	r.false += result.False
	r.unread = r.unread || len(result.Unproven) > 0
	if result.Torn != "" {
		r.notes = append(r.notes, fmt.Sprintf("cut off or damaged: %s; what is left of it was searched", result.Torn))
	}
	if reasons := slices.DeleteFunc(slices.Clone(result.Unproven), func(why scan.Reason) bool { return why == scan.Torn }); len(reasons) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("not searched to the bottom: %s%s", prefix, joinReasons(reasons)))
	}
}

func joinReasons(reasons []scan.Reason) string {
	var words []string
	for _, r := range reasons {
		words = append(words, string(r))
	}
	return strings.Join(words, ", ")
}

func (w *walk) attributes(ctx context.Context, e entry) {
	r := &scanned{shown: e.shown}
	w.addAttributes(ctx, e, r)
	w.tell(r)
}

func (w *walk) addAttributes(ctx context.Context, e entry, r *scanned) {
	attributes, err := attributesOf(e.path)
	if err != nil {
		r.unread = true
		r.notes = append(r.notes, "extended attributes not read: "+plainError(err).Error())
	}
	for _, b := range attributes {
		r.add("xattr/", w.scanner.Bytes(ctx, b))
	}
	if len(attributes) > 1 {
		r.add("xattr/", w.scanner.Bytes(ctx, bytes.Join(attributes, []byte("\n"))))
	}
}

// each does something for every index, as many at once as files.
func (w *walk) each(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(w.options.parallel, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
