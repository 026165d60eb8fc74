package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"postern/observers/canary/scan"
)

// scanReport prints what a scan finds, and adds it up.
type scanReport struct {
	out, err io.Writer
	lines    []int // of the key file, of each secret
	options  scanOptions
	began    time.Time
	progress *progress

	files, with, hits, false, unread int
	bytes                            int64
}

// jsonHit is a line of --json; its keys are permanent.
type jsonHit struct {
	File      string `json:"file"`
	Key       int    `json:"key"`
	Technique string `json:"technique"`
	Bits      int    `json:"bits"`
	Offset    int64  `json:"offset"`
}

// jsonDecoys is the last line of --json where decoys were looked for; its keys
// are permanent.
type jsonDecoys struct {
	Decoys    int `json:"decoys"`
	FalseHits int `json:"false_hits"`
}

func newScanReport(out, err io.Writer, lines []int, o scanOptions) *scanReport {
	return &scanReport{out: out, err: err, lines: lines, options: o, began: time.Now(), progress: newProgress(err)}
}

// print prints results in their order, each as soon as it is there. Where that
// fails it stops the walk.
func (r *scanReport) print(ctx context.Context, stop func(), w *walk) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	var failed error
	for s := range w.out {
		for waiting := true; waiting; {
			select {
			case <-s.done:
				waiting = false
			case <-tick.C:
				r.show(w)
			}
		}
		if failed == nil { // what follows is only waited for
			if failed = r.one(ctx, w, s); failed != nil {
				stop()
			}
		}
	}
	r.progress.clear()
	switch {
	case failed != nil:
		return failed
	case !r.options.json:
		return r.summary()
	case r.options.decoys > 0:
		return json.NewEncoder(r.out).Encode(jsonDecoys{r.options.decoys, r.false})
	}
	return nil
}

func (r *scanReport) one(ctx context.Context, w *walk, s *scanned) error {
	r.bytes += s.bytes
	r.false += s.false
	if s.file {
		r.files++
	}
	if len(s.hits)+len(s.notes) == 0 {
		return nil
	}
	r.progress.clear()
	path := w.redact(ctx, s.shown)
	for _, note := range s.notes {
		if _, err := fmt.Fprintf(r.err, "postern: %s: %s\n", printable(path), note); err != nil {
			return err
		}
	}
	if s.unread {
		r.unread++
	}
	if len(s.hits) > 0 {
		r.with++
	}
	for _, h := range s.hits {
		if err := r.hit(path, h); err != nil {
			return err
		}
	}
	return nil
}

func (r *scanReport) hit(path string, h scan.Hit) error {
	r.hits++
	key := r.lines[h.Secret]
	if r.options.json {
		return json.NewEncoder(r.out).Encode(jsonHit{path, key, h.Technique, h.Bits, h.Offset})
	}
	class := mark(r.out, fmt.Sprintf("%-7s", h.Class), red)
	_, err := fmt.Fprintf(r.out, "%s  key %-4d %4d bits  offset %-10d %s  %s\n", class, key, h.Bits, h.Offset, printable(path), h.Technique)
	return err
}

func (r *scanReport) summary() error {
	took := time.Since(r.began).Seconds()
	what := mark(r.out, "nothing found", green)
	switch {
	case r.hits > 0:
		what = mark(r.out, count(r.hits, "hit")+" in "+count(r.with, "place"), red)
	case r.unread > 0:
		what = mark(r.out, fmt.Sprintf("nothing found, unproven in %s: see stderr", count(r.unread, "place")), red)
	}
	if r.options.decoys > 0 {
		what += fmt.Sprintf("; %s of %s", count(r.false, "false hit"), count(r.options.decoys, "decoy"))
	}
	_, err := fmt.Fprintf(r.out, "%s: %s, %d bytes, %.1f s, %.1f MB/s\n", what, count(r.files, "file"), r.bytes, took, float64(r.bytes)/1e6/took)
	return err
}

// show tells on a terminal how far the scan is.
func (r *scanReport) show(w *walk) {
	if r.progress.terminal {
		fmt.Fprintf(r.err, "\r\x1b[K%s, %d MB, %s", count(r.files, "file"), w.read.Load()/1e6, count(r.hits, "hit"))
	}
}

// printable keeps control characters of a path from a terminal.
func printable(path string) string {
	for _, c := range path {
		if c == utf8.RuneError || !strconv.IsPrint(c) {
			return strconv.Quote(path)
		}
	}
	return path
}
