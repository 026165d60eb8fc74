package main

import (
	"errors"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"postern/gateway/confine/landlock"
	"postern/gateway/guard/spawn"
)

func TestMain(m *testing.M) {
	if code, ours := spawn.Inner(os.Args); ours { // which a sandbox gives another name
		os.Exit(code)
	}
	testscript.Main(suite{m}, map[string]func(){"postern": main, "without-landlock": withoutLandlock})
}

// suite has one directory for what its tests build.
type suite struct{ m *testing.M }

var built string

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "built-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = dir
	return s.m.Run()
}

// TestScripts holds what a user sees of the command: text, and exit codes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1") // must be ignored
			return errors.Join(sampleBundle(env.WorkDir), sampleAudit(env))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": code, "start": startServer},
		Condition: func(word string) (bool, error) {
			switch word {
			case "root":
				return os.Geteuid() == 0, nil
			case "landlock":
				_, err := landlock.Available(landlock.Look())
				return err == nil, nil
			}
			return false, errors.New("the only conditions of ours are root and landlock")
		},
	})
}

// code runs a command and demands its exit code: code N COMMAND...
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("running the command: %v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
