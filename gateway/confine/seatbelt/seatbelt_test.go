package seatbelt

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/guard"
)

var update = flag.Bool("update", false, "write the texts of testdata anew")

// mac is a user's machine; its home has a name that must be escaped where odd.
func mac(home string) guard.Machine {
	return guard.Machine{OS: "darwin", Home: home, Temp: "/var/folders/xy/T/", State: home + "/Library/Application Support/postern"}
}

const home = "/Users/ada"

func derive(t testing.TB, r guard.Request, m guard.Machine) guard.Profile {
	t.Helper()
	r.Server = "files"
	p, err := guard.Derive(r, m, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func render(t testing.TB, p guard.Profile) string {
	t.Helper()
	out, err := Render(p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// profiles are one of each tier and network; the name is that of its text.
func profiles(t testing.TB) map[string]guard.Profile {
	files, fetched := []string{"/opt/files"}, []string{"npx", "files"}
	return map[string]guard.Profile{
		"standard-none":    derive(t, guard.Request{Tier: guard.Standard, Command: files}, mac(home)),
		"standard-full":    derive(t, guard.Request{Tier: guard.Standard, Command: fetched}, mac(home)),
		"standard-escaped": derive(t, guard.Request{Tier: guard.Standard, Command: files}, mac(`/Users/a"d\a (x)`)),
		"strict-none":      derive(t, guard.Request{Tier: guard.Strict, Command: fetched}, mac(home)),
		"strict-loopback":  derive(t, guard.Request{Tier: guard.Strict, Command: files, Ports: []int{5432, 8080}}, mac(home)),
		"strict-read":      derive(t, guard.Request{Tier: guard.Strict, Command: files, Read: []string{home + "/project", "/tmp/shared", "/var/data", home + "/.ssh/known_hosts"}}, mac(home)),
	}
}

func TestTexts(t *testing.T) {
	all := profiles(t)
	for name, p := range all {
		file := filepath.Join("testdata", name+".sb")
		got := render(t, p)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s, which 'go test -update' writes anew:\n%s", name, diff)
		}
	}
	kept, err := filepath.Glob("testdata/*.sb")
	if err != nil || len(kept) != len(all) {
		t.Errorf("%d texts are kept of %d profiles, %v", len(kept), len(all), err)
	}
}

func TestWhatCannotBeRendered(t *testing.T) {
	good := profiles(t)["standard-none"]
	for _, c := range []struct {
		name   string
		want   Why
		change func(p *guard.Profile)
	}{
		{"a line break in a secret place", PathUnsafe, func(p *guard.Profile) { p.Mask = []string{"/a\nb"} }},
		{"an end of text in a read place", PathUnsafe, func(p *guard.Profile) { p.Read = []string{"/a\x00b"} }},
		{"a control character of Unicode", PathUnsafe, func(p *guard.Profile) { p.Read = []string{"/a\u0085b"} }},
		{"invalid UTF-8", PathUnsafe, func(p *guard.Profile) { p.Write = []string{"/a\xff"} }},
		{"a relative path", PathUnsafe, func(p *guard.Profile) { p.Write = []string{"a"} }},
		{"an empty path", PathUnsafe, func(p *guard.Profile) { p.Scratch = "" }},
		{"a secret in what is written", WriteOverSecret, func(p *guard.Profile) { p.Write = []string{home} }},
		{"a secret in the scratch", WriteOverSecret, func(p *guard.Profile) { p.Mask = append(p.Mask, p.Scratch+"/x") }},
		{"the scratch as a secret", WriteOverSecret, func(p *guard.Profile) { p.Mask = append(p.Mask, p.Scratch) }},
		{"what is written in a secret", WriteOverSecret, func(p *guard.Profile) { p.Write = []string{home + "/.ssh/x"} }},
		{"the same by another name", WriteOverSecret, func(p *guard.Profile) { p.Mask, p.Write = []string{"/private/tmp/x"}, []string{"/tmp"} }},
		{"the same by the data volume", WriteOverSecret, func(p *guard.Profile) { p.Write = []string{"/System/Volumes/Data/Users"} }},
		{"devices that are written", WriteOverSecret, func(p *guard.Profile) { p.Write = []string{"/dev/disk0"} }},
	} {
		p := good
		c.change(&p)
		out, err := Render(p)
		unable := (*Unable)(nil)
		if !errors.As(err, &unable) || unable.Why != c.want || out != "" {
			t.Errorf("%s: %v, %d bytes", c.name, err, len(out))
		}
	}
}

func TestEveryWordSaysWhatToDo(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range []Why{NotMac, NotInstalled, ProbeFailed, PathUnsafe, SecretLinked, SecretsUnread, WriteOverSecret, ScratchMissing, TextRefused} {
		if says := w.Says(); says == Why("").Says() || seen[says] || strings.Contains(says, "\n") {
			t.Errorf("%s: %q", w, says)
		} else {
			seen[says] = true
		}
	}
}
