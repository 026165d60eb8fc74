package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Beside is a program beside a tool server, and where the server would carry what
// it saw of it.
type Beside struct {
	Program  string // the agent's
	Word     string // an argument by which it is known
	Argument string // another, which is nobody else's to read
	Notes    string // a directory of the server's
}

// Arguments runs a program with a secret among its arguments and reads, at the
// end, what was noted of it. Its pilots are programs of the same kind, whose
// arguments it reads and notes as the server would.
type Arguments struct {
	*Kept
	beside Beside
	actor  *actor
}

// NewArguments starts the program.
func NewArguments(b Beside, watch *canary.Watch, pilots Pilots) (*Arguments, error) {
	o := &Arguments{Kept: NewTree(channel.SinkGuardArguments, b.Notes, watch, pilots), beside: b}
	note := o.Kept.put
	o.Kept.put = func(phase channel.ID, text string) error {
		seen, err := b.show(b.Word+"-pilot", text)
		if err != nil {
			return err
		}
		return note(phase, seen)
	}
	var err error
	if o.actor, err = b.start(b.Word, b.Argument); err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", o.sink, err)
	}
	return o, nil
}

// start starts the program, which then does nothing until its stdin ends: it is
// told nothing.
func (b Beside) start(word, argument string) (*actor, error) {
	return start(exec.Command(b.Program, childWord, showWord, word, argument))
}

// show is what is seen of the program while it runs.
func (b Beside) show(word, argument string) (seen string, err error) {
	a, err := b.start(word, argument)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	return argumentsWith(word)
}

// argumentsWith are all arguments of the process that has a word among them.
func argumentsWith(word string) (string, error) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if arguments := strings.Split(string(content), "\x00"); slices.Contains(arguments, word) {
			return strings.Join(arguments, "\n"), nil
		}
	}
	return "", errors.New("no process shows its arguments")
}

// Collect implements Observer. A program that is not to be seen any more was not
// there to be read: a drop.
func (o *Arguments) Collect(ctx context.Context) (Report, error) {
	if _, err := argumentsWith(o.beside.Word); err != nil {
		o.book.lost(1)
	}
	return o.Kept.Collect(ctx)
}

// Close implements Observer.
func (o *Arguments) Close() error {
	if o.actor == nil {
		return nil
	}
	a := o.actor
	o.actor = nil
	return a.close()
}
