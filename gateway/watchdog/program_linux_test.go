package watchdog

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const fakePID = 4242

// programFor runs the program in this process, under a fake Engine, and gives
// our ends of its pipes.
func programFor(t testing.TB, f *fakeEngine) (p *program, beats, answers *os.File) {
	t.Helper()
	theirBeats, beats, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, theirAnswers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{theirBeats, beats, answers, theirAnswers} {
			f.Close()
		}
	})
	socket := serve(t, f)
	return &program{
		order: order{socket: socket, container: f.container, noPidfd: true,
			timing: Timing{Lease: maxLease, StopTry: maxStopTry, Tries: 3}},
		engine: newEngine(socket, f.container), init: &initProcess{fd: -1},
		beats: theirBeats, answers: theirAnswers,
	}, beats, answers
}

func fakeContainer() *fakeEngine {
	return &fakeEngine{container: someContainer(), pid: fakePID, running: true, kill: func() {}}
}

// fed is the exit code after these bytes and then the end.
func fed(t testing.TB, f *fakeEngine, input []byte) int {
	t.Helper()
	p, beats, answers := programFor(t, f)
	go io.Copy(io.Discard, answers)
	go func() {
		beats.Write(input)
		beats.Close()
	}()
	return p.run()
}

func stream(ms ...message) []byte {
	var out []byte
	for _, m := range ms {
		out = append(out, m.encode()...)
	}
	return out
}

func dialogues() map[string][]byte {
	start := message{arm, fakePID}
	return map[string][]byte{
		"nothing":                   nil,
		"not armed":                 stream(message{beat, 1}),
		"not armed, disarmed":       stream(message{disarm, 1}),
		"armed for nobody":          stream(message{arm, 1 << 40}),
		"armed for another":         stream(message{arm, 1}),
		"armed":                     stream(start),
		"armed twice":               stream(start, start),
		"disarmed":                  stream(start, message{disarm, 1}),
		"disarmed after beats":      stream(start, message{beat, 1}, message{beat, 2}, message{disarm, 3}),
		"a beat too many":           stream(start, message{beat, 1}, message{beat, 1}, message{disarm, 2}),
		"a beat too few":            stream(start, message{beat, 2}, message{disarm, 3}),
		"disarmed out of turn":      stream(start, message{beat, 1}, message{disarm, 1}),
		"its own words":             stream(start, message{answered, 1}, message{disarm, 2}),
		"no message":                append(stream(start), "a line of text\n"...),
		"the beginning of a beat":   stream(start, message{beat, 1})[:2*size-1],
		"the beginning of the end":  stream(start, message{disarm, 1})[:2*size-1],
		"more after the end":        stream(start, message{disarm, 1}, message{beat, 2}),
		"a beat after the last one": stream(start, message{beat, 1}, message{beat, 2}, message{disarm, 2}),
	}
}

// expected is the exit code, told by other means than the program's: the
// whole input is looked at as text.
func expected(input []byte) int {
	var words []message
	for len(input) >= size {
		m, ok := decode([size]byte(input))
		if !ok {
			break
		}
		words = append(words, m)
		input = input[size:]
	}
	if len(words) == 0 || words[0].kind != arm || words[0].number > 1<<31-1 {
		return ExitStopped
	}
	if words[0].number != fakePID {
		return ExitRefused
	}
	for i, m := range words[1:] {
		if m.number != uint64(i+1) {
			break
		}
		if m.kind == disarm {
			return ExitDisarmed
		}
		if m.kind != beat {
			break
		}
	}
	return ExitStopped
}

func checkFed(t *testing.T, input []byte) {
	t.Helper()
	f := fakeContainer()
	got, want := fed(t, f, input), expected(input)
	if got != want {
		t.Errorf("exit code %d, want %d", got, want)
	}
	if dead := f.killed() > 0; dead != (want == ExitStopped) {
		t.Errorf("killed: %v, exit code %d", dead, got)
	}
}

func TestOnlyTheWholeFarewellSparesTheContainer(t *testing.T) {
	for name, input := range dialogues() {
		t.Run(name, func(t *testing.T) { checkFed(t, input) })
	}
}

func FuzzProgram(f *testing.F) {
	for _, input := range dialogues() {
		f.Add(input)
	}
	f.Fuzz(checkFed)
}

// A bridge that is gone to write to, but whose other end is still open.
func TestABridgeThatCannotBeAnsweredIsGone(t *testing.T) {
	for name, input := range map[string][]byte{
		"when armed":   stream(message{arm, fakePID}),
		"when refused": stream(message{arm, 1}),
	} {
		t.Run(name, func(t *testing.T) {
			f := fakeContainer()
			p, beats, answers := programFor(t, f)
			p.noDeadline = true // or it would find out in the end
			answers.Close()
			beats.Write(input)
			if code := p.run(); code != ExitStopped || f.killed() != 1 {
				t.Errorf("exit code %d, %d kills", code, f.killed())
			}
		})
	}
}

// byHand starts the real program with our pipes, and arms it.
func byHand(t *testing.T, s scene) (cmd *exec.Cmd, beats, answers *os.File) {
	t.Helper()
	theirBeats, beats, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, theirAnswers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { beats.Close(); answers.Close() })
	o, err := s.options().complete()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("/proc/self/exe", append([]string{"watchdog", "-no-deadline"}, o.arguments()...)...)
	cmd.ExtraFiles = []*os.File{theirBeats, theirAnswers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirBeats.Close()
	theirAnswers.Close()
	return cmd, beats, answers
}

// The same with the real process: its answers must not be its standard output.
func TestABrokenPipeDoesNotEndTheProgram(t *testing.T) {
	s := fakeScene(t)
	cmd, beats, answers := byHand(t, s)
	answers.Close()
	beats.Write(stream(message{arm, uint64(s.pid)}))
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != ExitStopped || !gone(t, s.pidfd, patience) {
		t.Errorf("exit code %d", code)
	}
}

func TestATerminatedProgramKillsFirst(t *testing.T) {
	s := fakeScene(t)
	cmd, beats, answers := byHand(t, s)
	beats.Write(stream(message{arm, uint64(s.pid)}))
	var b [size]byte
	if _, err := io.ReadFull(answers, b[:]); err != nil || b[0] != byte(armed) {
		t.Fatalf("it is not armed: %v", err)
	}
	cmd.Process.Signal(unix.SIGTERM)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != ExitStopped || !gone(t, s.pidfd, patience) {
		t.Errorf("exit code %d", code)
	}
}

func TestTheEngineIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		name         string
		tries        int
		engine       func(*fakeEngine)
		kills, codes int
	}{
		{"at once", 3, func(*fakeEngine) {}, 1, ExitStopped},
		{"fails twice", 3, func(f *fakeEngine) { f.fail = 2 }, 3, ExitStopped},
		{"fails always", 3, func(f *fakeEngine) { f.fail = 99 }, 3, ExitUnconfirmed},
		{"fails once, one try", 1, func(f *fakeEngine) { f.fail = 1 }, 1, ExitUnconfirmed},
		{"does nothing", 3, func(f *fakeEngine) { f.deaf = true }, 3, ExitUnconfirmed},
		{"not running", 3, func(f *fakeEngine) { f.running = false }, 1, ExitStopped},
		{"no such container", 3, func(f *fakeEngine) { f.container = "another" }, 0, ExitStopped},
		{"an account of nothing", 3, func(f *fakeEngine) { f.account = "{}" }, 3, ExitUnconfirmed},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fakeContainer()
			p, _, _ := programFor(t, f)
			p.timing.Tries = c.tries
			c.engine(f)
			if code := p.stop(); code != c.codes || f.killed() != c.kills {
				t.Errorf("exit code %d, %d kills", code, f.killed())
			}
		})
	}
}

// An Engine that is restarted hears the first request that it can hear.
func TestAnEngineThatIsAwayIsWaitedFor(t *testing.T) {
	f := fakeContainer()
	p, _, _ := programFor(t, f)
	away := p.socket + ".away"
	if err := os.Rename(p.socket, away); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*redial, func() { os.Rename(away, p.socket) })
	p.timing.Tries = 1
	if code := p.stop(); code != ExitStopped {
		t.Errorf("exit code %d", code)
	}
	os.Remove(p.socket)
	p.timing.StopTry = time.Millisecond
	if code := p.stop(); code != ExitUnconfirmed {
		t.Errorf("without an Engine: exit code %d", code)
	}
}

// By hand there are no pipes.
func TestTheProgramIsNotForHands(t *testing.T) {
	o, err := goodOptions().complete()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, o.arguments()} {
		cmd := exec.Command("/proc/self/exe", append([]string{"watchdog"}, args...)...)
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != ExitUsage {
			t.Errorf("exit code %d", code)
		}
	}
}

func TestInContainer(t *testing.T) {
	id := container64()
	for _, c := range []struct {
		name, cgroup string
		want         bool
	}{
		{"second version", "0::/docker/" + id + "\n", true},
		{"systemd", "0::/system.slice/docker-" + id + ".scope\n", true},
		{"first version", "9:pids:/docker/" + id + "\n0::/docker/" + id + "\n", true},
		{"hierarchies that the Engine does not use", "2:misc:/\n1:pids:/docker/" + id + "\n", true},
		{"a parent of its own", "0::/agents/" + id + "\n", true},
		{"nothing", "", false},
		{"the host", "0::/\n", false},
		{"below the container's", "0::/docker/" + id + "/" + strings.Repeat("f", 64) + "\n", false},
		{"another one", "0::/docker/" + strings.Repeat("f", 64) + "\n", false},
		{"a longer name", "0::/docker/" + id + "0\n", false},
		{"no line of the kernel's", id + "\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := inContainer(c.cgroup, id); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestWhatAHostDoesNotPermit(t *testing.T) {
	for err, want := range map[error]bool{unix.ENOSYS: true, unix.EPERM: true, unix.ESRCH: false, unix.EMFILE: false, nil: false} {
		if notPermitted(err) != want {
			t.Errorf("%v", err)
		}
	}
	if _, why := holdInit(1<<22+1, container64()); why != initGone { // above pid_max
		t.Errorf("a process that cannot be: %v", why)
	}
}
