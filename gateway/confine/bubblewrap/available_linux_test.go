package bubblewrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const askVariable = "POSTERN_TEST_AVAILABLE"

func TestMain(m *testing.M) {
	if code, ours := Inner(os.Args); ours {
		os.Exit(code)
	}
	if at := os.Getenv(lookVariable); at != "" {
		os.Exit(look(at))
	}
	if os.Getenv(askVariable) != "" {
		_, err := Available(context.Background(), Places)
		fmt.Println(why(err))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// why is the closed word of an error, or what else there is.
func why(err error) Why {
	unable := (*Unable)(nil)
	switch {
	case err == nil:
		return "available"
	case errors.As(err, &unable):
		return unable.Why
	}
	return "another error"
}

// program writes a bwrap that says a version and does nothing.
func program(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bwrap")
	text := "#!/bin/sh\ncase $* in --version) echo bubblewrap " + version + " ;; *) exit 1 ;; esac\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// maker says its version in the sandbox that it seems to make, too.
func maker(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bwrap")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho bubblewrap "+version+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsNotAvailable(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can write a program that is trusted")
	}
	others := program(t, "0.8.0")
	if err := os.Chmod(filepath.Dir(others), 0o777); err != nil {
		t.Fatal(err)
	}
	owned := program(t, "0.8.0")
	if err := os.Chown(owned, 54321, 54321); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       Why
	}{
		{"none there", "/nonexistent/bwrap", NotInstalled},
		{"in a directory of everybody's", others, NotTrusted},
		{"another user's", owned, NotTrusted},
		{"an old one", program(t, "0.5.0"), TooOld},
		{"one that says no version", program(t, "x"), TooOld},
		{"an old one that makes a sandbox", maker(t, "0.5.0"), TooOld},
		{"one that makes no sandbox", program(t, "0.6.0"), ProbeFailed},
	} {
		if _, err := Available(t.Context(), []string{"/nonexistent", c.path}); why(err) != c.want {
			t.Errorf("%s: %s, want %s", c.name, why(err), c.want)
		}
	}
}

// A name space of users in which no further one may be made: the setting counts
// for that name space alone.
func TestUserNamespacesAreOff(t *testing.T) {
	if _, err := Available(t.Context(), Places); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// What is left is the privilege to give a name space its own root, not one to
	// do without a name space of users.
	ask := func(setting string) string {
		cmd := exec.CommandContext(t.Context(), "unshare", "-Ur", "sh", "-c", setting+" && exec setpriv --bounding-set=-all,+setfcap --inh-caps=-all "+self)
		cmd.Env = append(os.Environ(), askVariable+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got := ask("echo 0 > /proc/sys/user/max_user_namespaces"); got != string(NamespacesOff) {
		t.Errorf("off: %s", got)
	}
	if got := ask("true"); got != "available" {
		t.Errorf("on: %s", got)
	}
}

func TestEachWordIsExplained(t *testing.T) {
	unknown := Why("").Says()
	for _, w := range []Why{NotLinux, NotInstalled, NotTrusted, TooOld, KernelTooOld, NamespacesOff, ProbeFailed, SecretLinked, SecretsUnread, WriteOverSecret, ScratchMissing, ProgramSecret, PortsLow} {
		if says := (&Unable{w}).Error(); strings.Contains(says, unknown) {
			t.Errorf("%s is not explained", w)
		}
	}
}
