package observers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

func TestCountersOf(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       counters
		wrong      bool
	}{
		{name: "version 1", text: "9:name=systemd:/docker/x\n8:pids:/docker/x\n4:memory:/docker/x\n1:cpu,cpuacct:/docker/x\n0::/docker/x\n",
			want: counters{"/sys/fs/cgroup/pids/docker/x", "/sys/fs/cgroup/memory/docker/x", false}},
		{name: "version 2", text: "0::/system.slice/docker-x.scope\n",
			want: counters{"/sys/fs/cgroup/system.slice/docker-x.scope", "/sys/fs/cgroup/system.slice/docker-x.scope", true}},
		{name: "another parent", text: "8:pids:/other/x\n4:memory:/other/x\n",
			want: counters{"/sys/fs/cgroup/pids/other/x", "/sys/fs/cgroup/memory/other/x", false}},
		{name: "a path with a colon", text: "0::/a:b\n", want: counters{"/sys/fs/cgroup/a:b", "/sys/fs/cgroup/a:b", true}},
		{name: "no memory in version 1", text: "8:pids:/docker/x\n0::/docker/x\n", wrong: true},
		{name: "neither version", text: "1:cpu:/docker/x\n", wrong: true},
		{name: "no list", text: "nonsense\n", wrong: true},
		{name: "a path that is none", text: "8:pids:docker/x\n", wrong: true},
		{name: "empty", wrong: true},
	} {
		got, err := countersOf(c.text)
		if (err != nil) != c.wrong || got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestCounterIn(t *testing.T) {
	for _, c := range []struct {
		text, key string
		want      int64
		wrong     bool
	}{
		{text: "17\n", want: 17},
		{text: "0\n"},
		{text: "oom_kill_disable 1\nunder_oom 0\noom_kill 3\n", key: "oom_kill", want: 3},
		{text: "oom_kill_disable 1\nunder_oom 0\n", key: "oom_kill", wrong: true},
		{text: "max\n", wrong: true},
		{text: "-1\n", wrong: true},
		{text: "1 2\n", wrong: true},
		{text: "99999999999999999999\n", wrong: true},
		{text: "", wrong: true},
	} {
		got, err := counterIn(c.text, c.key)
		if (err != nil) != c.wrong || got != c.want {
			t.Errorf("%q, %q: %d, %v", c.text, c.key, got, err)
		}
	}
}

// write makes a directory of counters.
func counterFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestUsage(t *testing.T) {
	one := func(spares, memory, killed, limit string) map[string]string {
		return map[string]string{
			"pids.peak": "32\n", "memory.max_usage_in_bytes": memory, "memory.limit_in_bytes": limit,
			"memory.oom_control": "oom_kill_disable " + spares + "\nunder_oom 0\noom_kill " + killed + "\n",
		}
	}
	for _, c := range []struct {
		name    string
		files   map[string]string
		unified bool
		want    usage
		wrong   bool
	}{
		{name: "below the limit", files: one("1", "5\n", "0", "10\n"), want: usage{32, 5, false, 5}},
		{name: "at the limit, one killed", files: one("0", "10\n", "1", "10\n"), want: usage{32, 10, false, 5}},
		{name: "at the limit, none killed", files: one("1", "10\n", "0", "10\n"), want: usage{32, 10, true, 5}},
		{name: "at the limit, and gave back", files: one("0", "10\n", "0", "10\n"), want: usage{32, 10, false, 5}},
		{name: "version 2", unified: true, files: map[string]string{"pids.peak": "3\n", "memory.peak": "9\n"}, want: usage{3, 9, false, 2}},
		{name: "a kernel without peaks", unified: true, files: map[string]string{"pids.current": "3\n"}, wrong: true},
		{name: "half a list", files: map[string]string{"pids.peak": "3\n", "memory.max_usage_in_bytes": "5\n"}, wrong: true},
	} {
		dir := counterFiles(t, c.files)
		got, err := counters{dir, dir, c.unified}.usage()
		if (err != nil) != c.wrong || err == nil && got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// A counter that says less than the kernel lists is one that does not count.
func TestCountersMustAgree(t *testing.T) {
	for _, c := range []struct {
		name, threads, peak, memory, current string
		want                                 bool
	}{
		{"agreeing", "1\n2\n3\n", "3\n", "9\n", "8\n", true},
		{"a few behind", "1\n2\n3\n", "2\n", "9\n", "8\n", true},
		{"stuck", strings.Repeat("1\n", 2+unnoted+1), "2\n", "9\n", "8\n", false},
		{"of nobody", "", "3\n", "9\n", "8\n", false},
		{"of no memory", "1\n", "1\n", "0\n", "0\n", false},
		{"of memory that was never used", "1\n", "1\n", "1\n", "8\n", false},
	} {
		dir := counterFiles(t, map[string]string{"cgroup.threads": c.threads, "pids.peak": c.peak, "memory.peak": c.memory, "memory.current": c.current})
		got, err := counters{dir, dir, true}.alive()
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestCgroupOfARunningContainer(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits Limits
		want   map[channel.ID]int
	}{
		{"within the limits", Limits{1000, 1 << 40, 1 << 40}, nil},
		{"beyond all of them", Limits{0, -lastPages, -1}, map[channel.ID]int{channel.ResourcePids: 1, channel.ResourceMemory: 1, channel.ResourceShm: 1}},
	} {
		tr := newTrial(t)
		b := newBox(t, tr, none())
		o := NewCgroup(b.cli, c.limits, tr.watch)
		r := b.live(o, tr.plan(plan.ModeStay, nil), nil)
		sound(t, r)
		saw(t, r, c.want)
		if r.Hearing.Units < 3 {
			t.Errorf("%s: %+v", c.name, r.Hearing)
		}
	}
}

func TestCgroupThatIsDeaf(t *testing.T) {
	b := newBox(t, newTrial(t), none())
	tr := newTrial(t)
	r := b.live(NewCgroup(b.cli, Limits{}, tr.watch), tr.plan(plan.ModeStay, nil), nil)
	if h := r.Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent != 2 {
		t.Errorf("%+v", h)
	}
}

func TestCgroupThatCannotLook(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	o := NewCgroup(b.cli, Limits{}, tr.watch)
	if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
		t.Error("a pilot was heard of no container")
	}
	o.Enter(b.id, 0)
	for _, phase := range []channel.ID{channel.PilotBefore, channel.NetTCP4} {
		if err := o.Pilot(t.Context(), phase); err == nil {
			t.Errorf("%s was heard of a container that does not run", phase)
		}
	}
	if err := o.Look(t.Context()); err == nil {
		t.Error("counters of nobody were read")
	}
}
