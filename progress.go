package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"golang.org/x/term"

	"postern/harness"
)

// progress tells how far a campaign is: one line that is written over on a
// terminal, one line for each trial that ended elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	width    int
	began    time.Time // of the first trial
	running  []string
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, width: 80}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		p.terminal = true
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			p.width = w
		}
	}
	return p
}

// show takes one step of the campaign. Failures are told at once, with what
// to run to see them again.
func (p *progress) show(e harness.Event) {
	if e.Started != "" {
		if len(p.running) == 0 && e.Done == 0 {
			p.began = time.Now() // what came before, such as the image's build, will not come again
		}
		p.running = append(p.running, e.Started)
	}
	if e.Err != nil && e.Finished == nil {
		p.clear()
		fmt.Fprintln(p.out, e.Err)
	}
	if e.Measured != "" {
		p.ended(e.Measured)
		if !p.terminal {
			fmt.Fprintf(p.out, "%d/%d %s measured\n", e.Done, e.Planned, e.Measured)
		}
	}
	if t := e.Finished; t != nil {
		p.ended(t.ID)
		if e.Err != nil {
			p.clear()
			fmt.Fprintf(p.out, "%s: %v\n", t.ID, e.Err)
		}
		if !p.terminal {
			fmt.Fprintf(p.out, "%d/%d %s %s, %d ms\n", e.Done, e.Planned, t.ID, result(*t), t.DurationMS)
			if left := p.left(e); left > 0 && e.Done%20 == 0 {
				fmt.Fprintf(p.out, "about %d s left\n", left)
			}
		}
	}
	if p.terminal {
		p.line(e)
	}
}

// ended takes one off what runs.
func (p *progress) ended(id string) {
	if i := slices.Index(p.running, id); i >= 0 {
		p.running = slices.Delete(p.running, i, i+1)
	}
}

func (p *progress) line(e harness.Event) {
	text := fmt.Sprintf("%d/%d done", e.Done, e.Planned)
	if left := p.left(e); left > 0 {
		text += fmt.Sprintf(", about %d s left", left)
	}
	text += p.underWay(len(text))
	if len(text) >= p.width {
		text = text[:p.width-1]
	}
	fmt.Fprint(p.out, "\r\x1b[K"+text)
}

// underWay names the trials that run, as many as fit behind what stands there.
func (p *progress) underWay(used int) string {
	text := ""
	for i, id := range p.running {
		more := fmt.Sprintf(" and %d more", len(p.running)-i)
		if i > 0 && used+len(text)+len(id)+len(more)+2 >= p.width {
			return text + more
		}
		if i == 0 {
			text = ": " + id
		} else {
			text += ", " + id
		}
	}
	return text
}

// left guesses from the trials that are done; it says nothing before the first.
func (p *progress) left(e harness.Event) int {
	if e.Done == 0 {
		return 0
	}
	each := time.Since(p.began) / time.Duration(e.Done)
	return int((each * time.Duration(e.Planned-e.Done)).Round(time.Second) / time.Second)
}

// clear takes the line away, for what is printed next.
func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
