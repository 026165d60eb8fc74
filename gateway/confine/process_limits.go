package confine

import (
	"regexp"
	"strconv"
	"strings"
)

// limit is one line of /proc/<pid>/limits, as it is written there.
type limit struct{ soft, hard string }

// readLimits reads the table. Columns are of fixed width, and names have
// blanks: two of them end a name.
func readLimits(table string) map[string]limit {
	out := make(map[string]limit)
	for line := range strings.Lines(table) {
		cells := columns.Split(strings.TrimSpace(line), -1)
		if len(cells) < 3 || cells[0] == "Limit" {
			continue
		}
		out[cells[0]] = limit{cells[1], cells[2]}
	}
	return out
}

var columns = regexp.MustCompile(` {2,}`)

// limitNames are the lines of the table for the names that a profile uses,
// setrlimit(2).
func limitNames() map[string]string {
	return map[string]string{
		"cpu": "Max cpu time", "fsize": "Max file size", "data": "Max data size", "stack": "Max stack size",
		"rss": "Max resident set", "nproc": "Max processes", "nofile": "Max open files", "memlock": "Max locked memory",
		"as": "Max address space", "locks": "Max file locks", "sigpending": "Max pending signals",
		"msgqueue": "Max msgqueue size", "nice": "Max nice priority", "rtprio": "Max realtime priority",
		"rttime": "Max realtime timeout",
	}
}

const coreLine = "Max core file size"

// weakLimits wants the core's limit and the tier's; all others must be those
// of the process that started the container.
func weakLimits(want Profile, own, parent string) []Control {
	var weak []Control
	have, from := readLimits(own), readLimits(parent)
	if have[coreLine] != spelt(want.Core.Soft, want.Core.Hard) {
		weak = append(weak, CoreZero)
	}
	expected := map[string]limit{}
	for _, text := range want.Ulimits {
		u, err := ParseUlimit(text)
		if err != nil {
			return append(weak, UlimitsExact)
		}
		expected[limitNames()[u.Name]] = spelt(u.Soft, u.Hard)
	}
	for _, line := range limitNames() {
		must, set := expected[line]
		if !set {
			must = from[line]
		}
		got, known := have[line]
		if line == limitNames()["nofile"] && !set {
			got.soft, must.soft = "", "" // a Go program, which the starters are, raises its own
		}
		if !known || got != must {
			return append(weak, UlimitsExact)
		}
	}
	if len(have) != len(limitNames())+1 {
		weak = append(weak, Unrecognised) // a limit that is not in the table
	}
	return weak
}

func spelt(soft, hard int64) limit {
	word := func(n int64) string {
		if n < 0 {
			return "unlimited"
		}
		return strconv.FormatInt(n, 10)
	}
	return limit{word(soft), word(hard)}
}
