package reports

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// number is one number of a JSON file: where it is and what it says.
type number struct {
	path       string // indices as *
	start, end int
	value      int64
}

func numbersIn(t *testing.T, data []byte) []number {
	t.Helper()
	var numbers []number
	index := regexp.MustCompile(`/[0-9]+`)
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return numbers
		}
		if token.Kind() != '0' {
			continue
		}
		end := int(d.InputOffset())
		value, err := strconv.ParseInt(token.String(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		path := index.ReplaceAllString(string(d.StackPointer()), "/*")
		numbers = append(numbers, number{path, end - len(token.String()), end, value})
	}
}

// variants of a number that somebody might write in its place.
func (n number) variants() []int64 {
	if n.value == 0 {
		return []int64{1}
	}
	return []int64{n.value + 1, n.value - 1}
}

// larger is the one variant that every number has.
func (n number) larger() []int64 { return []int64{n.value + 1} }

// changes calls try with a bundle in which one number of one file differs.
func changes(t *testing.T, good map[string][]byte, variants func(number) []int64, try func(file string, n number, files map[string][]byte)) {
	for _, file := range []string{evidenceFile, manifestFile} {
		for _, n := range numbersIn(t, good[file]) {
			for _, value := range variants(n) {
				files := copyOf(good)
				files[file] = slices.Concat(good[file][:n.start], []byte(strconv.FormatInt(value, 10)), good[file][n.end:])
				try(file, n, files)
			}
		}
	}
}

func TestEveryNumberIsUnderTheDigests(t *testing.T) {
	dir := publish(t)
	good := filesOf(t, dir)
	tried := 0
	changes(t, good, number.larger, func(file string, n number, files map[string][]byte) {
		put(t, dir, file, string(files[file]))
		if _, problems, err := Open(dir); err != nil || len(problems) == 0 || !slices.Contains(problems, Problem{Code: DigestMismatch, File: file}) {
			t.Errorf("%s %s: changed from %d and not refused: %v", file, n.path, n.value, err)
		}
		tried++
		put(t, dir, file, string(good[file]))
	})
	if _, problems, err := Open(dir); err != nil || problems != nil {
		t.Errorf("the bundle put back is refused: %v %v", problems, err)
	}
	if tried < 150 {
		t.Errorf("only %d changes tried", tried)
	}
}

// TestNumbersThatOnlyTheOracleCanJudge changes every number and puts right all
// that needs no oracle. What is refused even so is refused by counts, by the
// schema or by the plan. What is not is this list: raw observations and
// measurements, on which the harness judges again.
func TestNumbersThatOnlyTheOracleCanJudge(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	accepted := map[string]bool{}
	changes(t, filesOf(t, publish(t)), number.variants, func(file string, n number, files map[string][]byte) {
		reseal(files)
		if _, problems := inspect(s, files); len(problems) == 0 {
			accepted[strings.TrimSuffix(file, ".json")+" "+n.path] = true
		}
	})
	want := []string{
		"evidence /environment/cgroup_version",
		"evidence /environment/cpus",
		"evidence /residuals/*/bit_errors",
		"evidence /residuals/*/bits_recovered",
		"evidence /residuals/*/bits_sent",
		"evidence /residuals/*/duration_us",
		"evidence /residuals/*/mitigated_bits",
		"evidence /residuals/*/mitigated_us",
		"evidence /rules/containers",
		"evidence /rules/labels/generator",
		"evidence /rules/labels/size",
		"evidence /rules/mutants/*/drives/*/mutant/calls",
		"evidence /rules/mutants/*/drives/*/mutant/exhaust/audit",
		"evidence /rules/mutants/*/drives/*/mutant/exhaust/guesses",
		"evidence /rules/mutants/*/drives/*/mutant/exhaust/log",
		"evidence /rules/mutants/*/drives/*/mutant/exhaust/rows",
		"evidence /rules/mutants/*/drives/*/mutant/exhaust/spans",
		"evidence /rules/mutants/*/drives/*/mutant/sent",
		"evidence /rules/mutants/*/drives/*/mutant/sightings",
		"evidence /rules/mutants/*/drives/*/mutant/told",
		"evidence /rules/mutants/*/drives/*/original/calls",
		"evidence /rules/mutants/*/drives/*/original/exhaust/audit",
		"evidence /rules/mutants/*/drives/*/original/exhaust/guesses",
		"evidence /rules/mutants/*/drives/*/original/exhaust/log",
		"evidence /rules/mutants/*/drives/*/original/exhaust/rows",
		"evidence /rules/mutants/*/drives/*/original/exhaust/spans",
		"evidence /rules/mutants/*/drives/*/original/sent",
		"evidence /rules/mutants/*/drives/*/original/sightings",
		"evidence /rules/mutants/*/drives/*/original/told",
		"evidence /rules/policies/generator",
		"evidence /rules/policies/size",
		"evidence /rules/servers",
		"evidence /rules/sessions",
		"evidence /rules/wiring/generator",
		"evidence /rules/wiring/size",
		"evidence /run/duration_ms",
		"evidence /run/parallel",
		"evidence /run/started_unix",
		"evidence /trials/*/allowed",
		"evidence /trials/*/attempts/*/errno",
		"evidence /trials/*/denied",
		"evidence /trials/*/duration_ms",
		"evidence /trials/*/hearings/*/bytes",
		"evidence /trials/*/hearings/*/drops",
		"evidence /trials/*/hearings/*/pilots_heard",
		"evidence /trials/*/hearings/*/pilots_sent",
		"evidence /trials/*/hearings/*/units",
		"evidence /trials/*/observations/*/sightings",
		"evidence /trials/*/stderr_bytes",
		"evidence /trials/*/stdout_bytes",
		"evidence /trials/*/stopped_us", // of mutants: see TestEveryTimeOfAFaultCounts
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(accepted))); diff != "" {
		t.Error(diff)
	}
}

// TestEveryBooleanThatCountsIsJudged flips each boolean likewise; whether an
// observer was sound is judged by the harness, and only whether the generator's
// tree was modified is left to a signature.
func TestEveryBooleanThatCountsIsJudged(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	text := string(good[evidenceFile])
	flips := regexp.MustCompile(`"([a-z_]+)": (true|false)`)
	for _, at := range flips.FindAllStringSubmatchIndex(text, -1) {
		name, value := text[at[2]:at[3]], text[at[4]:at[5]]
		files := copyOf(good)
		other := map[string]string{"true": "false", "false": "true"}[value]
		files[evidenceFile] = []byte(text[:at[4]] + other + text[at[5]:])
		reseal(files)
		if _, problems := inspect(s, files); (len(problems) == 0) != (name == "modified" || name == "sound") {
			t.Errorf("%s turned to %s: %d problems", name, other, len(problems))
		}
	}
}
