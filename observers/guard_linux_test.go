package observers

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
)

func TestATerminalIsHeardUntilItsSessionEnds(t *testing.T) {
	tr := newTrial(t)
	o, err := NewTerminal(channel.SinkGuardTerminal, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	f, err := os.OpenFile(o.Path(), os.O_WRONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(tr.text(channel.GuardTerminal))
	f.Close()
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.GuardTerminal: 1})
}

func TestAKeyLeftInTheSessionIsSeen(t *testing.T) {
	tr := newTrial(t)
	o, err := NewSessionKeyring(channel.SinkGuardKeyring, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	err = o.Inside(func() error {
		_, err := unix.AddKey("user", "left", []byte(tr.text(channel.GuardKeyring)), unix.KEY_SPEC_SESSION_KEYRING)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.GuardKeyring: 1})
}

func TestWhatATreeKeepsIsSeen(t *testing.T) {
	tr := newTrial(t)
	dir := t.TempDir()
	o := NewTree(channel.SinkGuardFile, dir, tr.watch, tr.pilots)
	pilot(t, o, channel.PilotBefore)
	if err := os.WriteFile(filepath.Join(dir, "letter"), []byte(tr.text(channel.GuardFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.GuardFile: 1})
}

func TestArgumentsThatWereNotedAreSeen(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	dir := t.TempDir()
	word := "postern-test-" + filepath.Base(filepath.Dir(dir))
	o, err := NewArguments(Beside{Program: program, Word: word, Argument: tr.text(channel.GuardArguments), Notes: dir}, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	seen, err := argumentsWith(word)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "arguments"), []byte(seen), 0o600); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.GuardArguments: 1})
}

// What nobody noted is not seen, though the observer itself has the program, and
// where that is gone silence means nothing.
func TestAProgramThatIsGoneProvesNothing(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	dir := t.TempDir()
	word := "postern-test-" + filepath.Base(filepath.Dir(dir))
	o, err := NewArguments(Beside{Program: program, Word: word, Argument: tr.text(channel.GuardArguments), Notes: dir}, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	r := collect(t, o)
	saw(t, r, nil)
	if r.Hearing.Sound() {
		t.Error("sound, and there was nothing to be read")
	}
}

func TestWhatASegmentHoldsIsSeen(t *testing.T) {
	tr := newTrial(t)
	o, err := NewSegment(neighbourUID, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := NewSegment(neighbourUID, tr.watch, tr.pilots); err == nil {
		t.Error("two of one key")
	}
	pilot(t, o, channel.PilotBefore)
	if err := o.write(0, tr.text(channel.GuardSegment)); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.GuardSegment: 1})
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := readSegment(o.key); err == nil {
		t.Error("it stays")
	}
}
