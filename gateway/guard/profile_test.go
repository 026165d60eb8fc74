package guard

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	linux = Machine{OS: "linux", Home: "/home/ada", Temp: "/tmp", State: "/home/ada/.local/state/postern"}
	mac   = Machine{OS: "darwin", Home: "/Users/ada", Temp: "/private/tmp", State: "/Users/ada/Library/Application Support/postern"}
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func derive(t *testing.T, r Request, m Machine) Profile {
	t.Helper()
	p, err := Derive(r, m, noon)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestStandardReadsAllButSecrets(t *testing.T) {
	for _, c := range []struct {
		machine Machine
		masked  []string
	}{
		{linux, []string{"/home/ada/.ssh", "/home/ada/.aws", "/home/ada/.npmrc", "/home/ada/.mozilla", "/home/ada/.bash_history", "/home/ada/.cursor", "/home/ada/.local/share/keyrings", "/home/ada/.local/state/postern", "/etc/shadow", "/run/docker.sock", "/root"}},
		{mac, []string{"/Users/ada/.ssh", "/Users/ada/Library/Keychains", "/Users/ada/Library/Application Support/Google/Chrome", "/Users/ada/Library/Application Support/Claude", "/Users/ada/Library/Application Support/postern", "/private/etc/master.passwd"}},
	} {
		p := derive(t, Request{Server: "files", Command: []string{"/opt/files"}, Tier: Standard}, c.machine)
		if !slices.Equal(p.Read, []string{"/"}) || p.Network != NetNone {
			t.Errorf("%s: reads %q, network %s", c.machine.OS, p.Read, p.Network)
		}
		for _, place := range c.masked {
			if !slices.Contains(p.Mask, place) {
				t.Errorf("%s: %s is not masked", c.machine.OS, place)
			}
		}
	}
	at := linux
	at.Home = "/root"
	if p := derive(t, Request{Server: "files", Command: []string{"/opt/files"}, Tier: Standard}, at); slices.Contains(p.Mask, "/root") || !slices.Contains(p.Mask, "/root/.ssh") {
		t.Error("root's own home: masked as a whole, or not in its places")
	}
}

// What is written stays in scratch, temporary files and caches: no place from
// which anything starts by itself, whatever its name.
func TestNothingThatStartsByItselfIsWritten(t *testing.T) {
	starts := []string{
		"/home/ada/.bashrc", "/home/ada/.profile", "/home/ada/.zshrc", "/home/ada/.config/autostart/x.desktop", "/home/ada/.config/systemd/user/x.service",
		"/home/ada/.local/bin/git", "/home/ada/bin/ls", "/home/ada/project/.git/hooks/pre-commit", "/home/ada/.config/fish/config.fish", "/home/ada/.ssh/rc",
		"/etc/cron.d/x", "/var/spool/cron/crontabs/ada", "/etc/profile.d/x.sh", "/usr/local/bin/x", "/home/ada/.claude.json", "/home/ada/.cargo/bin/cargo",
		"/Users/ada/Library/LaunchAgents/x.plist", "/Library/LaunchDaemons/x.plist", "/Users/ada/.zprofile",
	}
	for _, m := range []Machine{linux, mac} {
		for _, tier := range []Tier{Standard, Strict} {
			p := derive(t, Request{Server: "files", Command: []string{"npx", "files"}, Tier: tier}, m)
			for _, place := range starts {
				if i := slices.IndexFunc(p.Write, func(w string) bool { return strings.HasPrefix(place+"/", w+"/") }); i >= 0 {
					t.Errorf("%s, %s: %s may be written, below %s", m.OS, tier, place, p.Write[i])
				}
			}
			if !slices.Contains(p.Write, p.Scratch) || tier == Strict && len(p.Write) != 1 {
				t.Errorf("%s, %s: writes %q", m.OS, tier, p.Write)
			}
		}
	}
}

func TestWhatFetches(t *testing.T) {
	for _, c := range []struct {
		command string
		fetches bool
	}{
		{"npx -y files", true}, {"/usr/bin/uvx files", true}, {`C:\Program Files\nodejs\NPX.CMD`, true}, {"Docker run x", true}, {"pip3 install", true},
		{"env -i PATH=/bin npx files", true}, {"nice -n npx", true}, {"/opt/files --npx", false}, {"python3 -m files", false}, {"node npx.js", false},
		{"npxx", false}, {"files npx", false}, {"-x", false}, {"env", false},
	} {
		if got := Fetches(strings.Fields(c.command)); strings.Contains(c.command, "Program Files") {
			if !Fetches([]string{c.command}) {
				t.Errorf("%q must fetch", c.command)
			}
		} else if got != c.fetches {
			t.Errorf("%q: %v", c.command, got)
		}
	}
	if p := derive(t, Request{Server: "s", Command: []string{"npx", "s"}, Tier: Strict}, linux); p.Network != NetNone {
		t.Errorf("a strict profile has network %s for a launcher", p.Network)
	}
	if p := derive(t, Request{Server: "s", Command: []string{"npx", "s"}, Tier: Standard}, linux); p.Network != NetFull {
		t.Errorf("a standard profile has network %s for a launcher", p.Network)
	}
}

func TestHashCoversEverythingButTheTime(t *testing.T) {
	r := Request{Server: "s", Command: []string{"/opt/s"}, Tier: Strict, Ports: []int{80}}
	p := derive(t, r, linux)
	later, _ := Derive(r, linux, noon.Add(time.Hour))
	if p.Hash() != later.Hash() || len(p.Hash()) != 64 {
		t.Error("the hash depends on when the profile was made")
	}
	// Each field of a profile as it is stored, changed by itself.
	content, _ := json.Marshal(p)
	var fields map[string]any
	json.Unmarshal(content, &fields)
	for name, value := range fields {
		other := map[string]any{}
		for n, v := range fields {
			other[n] = v
		}
		switch v := value.(type) {
		case string:
			other[name] = v + "x"
			if name == "captured" {
				other[name] = noon.Add(time.Minute)
			}
		case bool:
			other[name] = !v
		case float64:
			other[name] = v + 1
		case []any:
			other[name] = append([]any{map[bool]any{true: 1, false: "/x"}[name == "ports"]}, v...)
		}
		changed, _ := json.Marshal(other)
		var q Profile
		if err := json.Unmarshal(changed, &q); err != nil {
			t.Fatal(name, err)
		}
		if (q.Hash() == p.Hash()) != (name == "captured") {
			t.Errorf("%s: the hash does not cover it, or covers the time", name)
		}
	}
	// In another order of keys it is the same profile.
	var again Profile
	if err := json.Unmarshal([]byte(`{"write":[],"server":"s","version":1}`), &again); err != nil {
		t.Fatal(err)
	}
	var swapped Profile
	json.Unmarshal([]byte(`{"version":1,"server":"s","write":[]}`), &swapped)
	if again.Hash() != swapped.Hash() {
		t.Error("the hash depends on the order of keys")
	}
}

func TestSegments(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"files", "Files", "files ", "../../etc", "/", "..", ".", "a/b", "a\\b", "a-b", "a--b", "", "\x00", "ünïcode", strings.Repeat("long", 99), strings.Repeat("long", 99) + "x", "CON", "-rf"} {
		s := Segment(name)
		if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(s) > readable+33 || len(s) < 33 {
			t.Errorf("%q: %q is no part of a path", name, s)
		}
		if other, taken := seen[strings.ToLower(s)]; taken {
			t.Errorf("%q and %q share %q", name, other, s)
		}
		seen[strings.ToLower(s)] = name
	}
}

func TestWhatIsNotDerived(t *testing.T) {
	good := Request{Server: "s", Command: []string{"/opt/s"}, Tier: Standard}
	for name, change := range map[string]func(*Request, *Machine){
		"no tier":             func(r *Request, _ *Machine) { r.Tier = "" },
		"no command":          func(r *Request, _ *Machine) { r.Command = nil },
		"an empty command":    func(r *Request, _ *Machine) { r.Command = []string{""} },
		"no name":             func(r *Request, _ *Machine) { r.Server = "" },
		"a relative home":     func(_ *Request, m *Machine) { m.Home = "ada" },
		"no temporary":        func(_ *Request, m *Machine) { m.Temp = "" },
		"no state":            func(_ *Request, m *Machine) { m.State = "" },
		"a port of standard":  func(r *Request, _ *Machine) { r.Ports = []int{80} },
		"a port that is none": func(r *Request, _ *Machine) { r.Tier, r.Ports = Strict, []int{65536} },
	} {
		r, m := good, linux
		change(&r, &m)
		if p, err := Derive(r, m, noon); err == nil {
			t.Errorf("%s: derived %v", name, p)
		}
	}
}
