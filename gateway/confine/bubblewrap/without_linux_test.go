package bubblewrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
	"postern/gateway/guard"
)

// unseen is the reason of what is tried below.
const unseen = "what opens without it no observer outside sees"

// without is an option, with what a server then finds otherwise: in a user
// namespace, and where root does without one.
type without struct {
	words       []string
	users, root []string
	because     string
}

func unowned() []without {
	return []without{
		{[]string{"--cap-drop", "ALL"}, []string{"capabilities"}, []string{"capabilities", "another user's file"},
			"root keeps its capabilities: in a user namespace they count for nothing of the machine's; without one they do, and files of other users are read"},
		{[]string{"--unshare-uts"}, nil, nil,
			"the new namespace has the machine's name, and the filter refuses another; changing it takes a capability as well"},
		{[]string{"--unshare-cgroup-try"}, []string{"name of the cgroup"}, []string{"name of the cgroup"},
			"the server learns what its cgroup is called, and all of /sys stays read-only"},
		{[]string{"--remount-ro", "/"}, []string{"a file at the root", "a file beside a secret"}, []string{"a file at the root", "a file beside a secret"},
			"the root, and each directory of which something is left out, is memory that is gone with the sandbox, and that nobody else sees"},
		{[]string{"--clearenv"}, nil, nil,
			"bwrap is started with no environment, so that there is none to clear"},
	}
}

// lookVariable makes this program the server of a test, with a directory to look
// for things in.
const lookVariable = "POSTERN_TEST_LOOK"

// Where it tries to make files.
const (
	madeAtRoot = "/postern-test-made"
	madeBeside = "home/made"
	madeShown  = "shown/made"
)

// look prints what a server finds.
func look(at string) int {
	found := map[string]string{}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "CapEff:") {
			found["capabilities"] = strings.TrimSpace(line)
		}
	}
	_, err := os.ReadFile(filepath.Join(at, "another"))
	found["another user's file"] = errno(err)
	found["name"], _ = os.Hostname()
	found["setting the name"] = errno(unix.Sethostname([]byte(found["name"])))
	cgroup, _ := os.ReadFile("/proc/self/cgroup")
	found["name of the cgroup"] = string(cgroup)
	found["joining a cgroup"] = errno(os.WriteFile("/sys/fs/cgroup/cgroup.procs", []byte("0"), 0))
	found["a file at the root"] = errno(os.WriteFile(madeAtRoot, nil, 0o600))
	found["a file beside a secret"] = errno(os.WriteFile(filepath.Join(at, madeBeside), nil, 0o600))
	found["a file of the machine"] = errno(os.WriteFile(filepath.Join(at, madeShown), nil, 0o600))
	found["mounting"] = errno(unix.Mount("", "/", "", unix.MS_REMOUNT, ""))
	found["environment"] = strings.Join(slices.Sorted(slices.Values(os.Environ())), " ")
	json.NewEncoder(os.Stdout).Encode(found)
	return 0
}

func errno(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return fmt.Sprint(int(number))
	}
	return fmt.Sprint(err == nil)
}

// TestWhatOpensWithoutAnOption takes away each option that no mutant is about.
// What a server then finds otherwise is what is written above, and no more.
func TestWhatOpensWithoutAnOption(t *testing.T) {
	found, err := Available(t.Context(), Places)
	if err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if os.Getuid() != 0 {
		t.Skip("only root has capabilities to drop, and files of other users")
	}
	dir := ground(t)
	for _, users := range ways() {
		if _, err := command(t.Context(), found.path, append(slices.Clone(users), "--bind", "/", "/", "--", found.path, "--version")...).Output(); err != nil {
			t.Logf("%q is not to be had here", users)
			continue
		}
		b := Backend{found.path, users}
		strict := serve(t, b, dir, nil)
		if strict["capabilities"] != "CapEff:\t0000000000000000" || strict["a file of the machine"] != errno(unix.EROFS) || strict["mounting"] != errno(unix.EPERM) {
			t.Errorf("%q: strictly it finds %q", users, strict)
		}
		for _, w := range unowned() {
			want := w.root
			if len(users) > 0 {
				want = w.users
			}
			if unnamed(t) {
				want = slices.DeleteFunc(slices.Clone(want), func(name string) bool { return name == "name of the cgroup" })
			}
			var other []string
			for name, value := range serve(t, b, dir, w.words) {
				if value != strict[name] {
					other = append(other, name)
				}
			}
			slices.Sort(other)
			if !slices.Equal(other, slices.Sorted(slices.Values(want))) {
				t.Errorf("%q without %q: there differs %q, but %s", users, w.words, other, w.because)
			}
			for _, made := range []string{madeAtRoot, filepath.Join(dir, madeBeside), filepath.Join(dir, madeShown)} {
				if _, err := os.Lstat(made); err == nil {
					t.Errorf("%q without %q: the machine has what was made there", users, w.words)
				}
			}
		}
	}
}

// unnamed reports whether this test's cgroup is the root, which is called alike
// inside and outside.
func unnamed(t *testing.T) bool {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(strings.TrimSpace(line), ":/") {
			return false
		}
	}
	return true
}

// ground is a directory with this program and another user's file. It is not
// below /tmp, of which a server has one of its own.
func ground(t *testing.T) string {
	dir, err := os.MkdirTemp("/var/tmp", "postern-without-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		os.Chmod(dir, 0o755), os.Mkdir(dir+"/home", 0o700), os.Mkdir(dir+"/shown", 0o700), os.WriteFile(dir+"/server", program, 0o755),
		os.WriteFile(dir+"/another", nil, 0o600), os.Chown(dir+"/another", 54321, 54321),
	)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// serve is what a server finds without some options.
func serve(t *testing.T, b Backend, dir string, less []string) map[string]string {
	t.Helper()
	request := guard.Request{Server: "sample", Command: []string{dir + "/server"}, Tier: guard.Standard}
	p, err := guard.Derive(request, guard.Machine{OS: "linux", Home: dir + "/home", Temp: "/tmp", State: dir + "/home/state"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	s := Server{Profile: p, Command: request.Command, Env: []string{lookVariable + "=" + dir}, Stdin: nothing, Stdout: theirs, Stderr: os.Stderr}
	x, err := b.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	files, err := b.orders(s, x.steps)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(files)
	fewer, err := InMemory(terminated(dropped(t, b.arguments(s, tree.Base(p.Scratch)), less)))
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(fewer)
	running, err := x.begin([]*os.File{files[0], fewer[0], files[2]})
	theirs.Close()
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(out)
	if code, waited := running.Wait(); code != 0 || waited != nil || err != nil {
		t.Fatalf("without %q it ended with %d, %v, %v", less, code, waited, err)
	}
	var found map[string]string
	if err := json.Unmarshal(said, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// dropped leaves out an option and what belongs to it.
func dropped(t *testing.T, options, less []string) []string {
	if less == nil {
		return options
	}
	for i := range options {
		if j := i + len(less); j <= len(options) && slices.Equal(options[i:j], less) {
			return slices.Delete(slices.Clone(options), i, j)
		}
	}
	t.Fatalf("%q is not among the options", less)
	return nil
}
