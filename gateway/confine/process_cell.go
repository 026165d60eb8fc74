package confine

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// AdmitCell compares what the kernel says of a cell's first process with the
// profile: a sandbox by bubblewrap, of which no other account is given. Before
// the start the process is bwrap's own, which has set no filter and no
// environment yet; nothing else is left out.
func AdmitCell(at Stage, want Profile, p Process) []Refusal {
	weak := Weaknesses(want)
	for _, c := range weakStatus(want, fields(p.Status)) {
		if c != SeccompDefault || at != StageCreated {
			weak = append(weak, c)
		}
	}
	weak = append(weak, weakNamespaces(p)...)
	if own := p.Namespaces["user"]; own == "" || len(p.Host["user"]) == 0 || slices.Contains(p.Host["user"], own) {
		weak = append(weak, UserNamespace)
	}
	weak = append(weak, weakCellMounts(p)...)
	weak = append(weak, weakLimits(want, p.Limits, p.ParentLimits)...)
	weak = append(weak, WeakLimits(want, p.CgroupFiles)...)
	weak = append(weak, weakNodes(p)...)
	weak = append(weak, weakRoutes(p)...)
	if at != StageCreated {
		weak = append(weak, weakCellEnvironment(p)...)
	}
	if strings.TrimSpace(p.OOMScore) != "0" {
		weak = append(weak, OOMScoreZero)
	}
	if !inOwnCell(p.Cgroup, p.Container) {
		weak = append(weak, CgroupParentDefault)
	}
	return Refuse(at, weak)
}

// WeakLimits compares the files of a cell's own cgroups with the profile. One
// that could not be read refuses the control that it is for.
func WeakLimits(want Profile, files map[string]string) []Control {
	file := func(name string) string { return strings.TrimSpace(files[name]) }
	var weak []Control
	for _, row := range []struct {
		control Control
		good    bool
	}{
		{PidsLimit, file("pids.max") == strconv.FormatInt(want.Pids, 10)},
		{MemoryLimit, pages(file("memory.limit_in_bytes"), want.Memory) || pages(file("memory.max"), want.Memory)},
		{SwapNone, file("memory.swap.max") == "0" || file("memory.memsw.limit_in_bytes") != "" &&
			file("memory.memsw.limit_in_bytes") == file("memory.limit_in_bytes")},
	} {
		if !row.good {
			weak = append(weak, row.control)
		}
	}
	return weak
}

// weakCellEnvironment wants what an Engine gives, and the place that bwrap adds.
func weakCellEnvironment(p Process) []Control {
	const name = "PWD="
	var weak []Control
	var others []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(p.Environment, "\x00"), "\x00") {
		switch {
		case !strings.HasPrefix(entry, name):
			others = append(others, entry)
		case entry != name+"/":
			weak = append(weak, WorkDirRoot)
		}
	}
	p.Environment = strings.Join(others, "\x00")
	return append(weak, weakEnvironment(p)...)
}

// inOwnCell wants the hierarchies that limit processes and memory to end at the
// cell's own cgroup.
func inOwnCell(cgroup, id string) bool {
	seen := 0
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			return false
		}
		own := path.Base(parts[2]) == id && id != ""
		for controller := range strings.SplitSeq(parts[1], ",") {
			switch {
			case controller == "pids" || controller == "memory":
				if !own {
					return false
				}
				seen++
			case controller == "" && own:
				seen += 2
			}
		}
	}
	return seen == 2
}

// weakCellMounts wants the cell's own root, read-only; the kernel's files, with
// what is dangerous of them covered or read-only; a few devices; and no more.
func weakCellMounts(p Process) []Control {
	var weak []Control
	var root, devices, settings, masks bool
	for line := range strings.Lines(p.Mounts) {
		m, ok := readMount(line)
		switch {
		case !ok:
			weak = append(weak, Unrecognised)
		case m.point == "/":
			root = m.readonly && m.root != "/" && p.Root != "" && strings.HasSuffix(p.Root, m.root)
		case m.point == "/proc" && m.kind == "proc" && m.root == "/":
		case m.point == "/dev" && m.kind == "tmpfs" && m.root == "/":
			devices = m.readonly
		case m.point == "/dev/pts" && m.kind == "devpts":
		case path.Dir(m.point) == "/dev" && slices.Contains(cellNodes(), path.Base(m.point)) && path.Base(m.root) == path.Base(m.point):
		case strings.HasPrefix(m.point, "/proc/") && m.readonly:
			settings = settings || m.point == "/proc/sys" && m.kind == "proc"
			masks = masks || (m.point == "/proc/keys" || m.point == "/proc/kcore") && path.Base(m.root) == "null"
		case m.kind == "tmpfs" && m.root == "/":
			weak = append(weak, TmpfsNone)
		default:
			weak = append(weak, BindsNone)
		}
	}
	for _, row := range []struct {
		control Control
		good    bool
	}{{RootReadonly, root}, {TmpfsNone, devices}, {PathsReadonly, settings}, {PathsMasked, masks}} {
		if !row.good {
			weak = append(weak, row.control)
		}
	}
	return weak
}

// cellNodes are the devices that bwrap binds into each sandbox.
func cellNodes() []string { return []string{"null", "zero", "full", "random", "urandom", "tty"} }
