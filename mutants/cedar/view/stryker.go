package view

import (
	"encoding/json"
	"io"
	"strings"

	"postern/mutants/cedar/level1"
)

// The report of mutation-testing-report-schema, version 2: what it requires, and
// what its viewer shows.
type stryker struct {
	SchemaVersion string                 `json:"schemaVersion"`
	Thresholds    strykerThresholds      `json:"thresholds"`
	Files         map[string]strykerFile `json:"files"`
	Framework     strykerFramework       `json:"framework"`
}

type strykerThresholds struct {
	High int `json:"high"`
	Low  int `json:"low"`
}

type strykerFramework struct {
	Name string `json:"name"`
}

type strykerFile struct {
	Language string          `json:"language"`
	Source   string          `json:"source"`
	Mutants  []strykerMutant `json:"mutants"`
}

type strykerMutant struct {
	ID           string          `json:"id"`
	MutatorName  string          `json:"mutatorName"`
	Description  string          `json:"description"`
	Replacement  string          `json:"replacement"`
	Location     strykerLocation `json:"location"`
	Status       string          `json:"status"`
	StatusReason string          `json:"statusReason"`
}

type strykerLocation struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// position counts from 1.
type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// place is where a policy begins.
type place struct {
	file string
	line int
}

// strykerStatus maps statuses to those of the schema. What was not compared to
// the end counts as not detected.
var strykerStatus = map[level1.Status]string{
	level1.Killed:        "Killed",
	level1.KilledByOther: "Killed",
	level1.Survived:      "Survived",
	level1.Equivalent:    "Ignored",
	level1.Stillborn:     "CompileError",
	level1.NotApplicable: "Ignored",
	level1.Inconclusive:  "NoCoverage",
}

// Stryker writes the report for mutation testing viewers. Sources holds each
// file's text. A place is a whole policy, for Cedar keeps no position below.
func (r *Report) Stryker(to io.Writer, sources map[string]string) error {
	out := stryker{
		SchemaVersion: "2", Thresholds: strykerThresholds{High: 100, Low: 80},
		Files: map[string]strykerFile{}, Framework: strykerFramework{Name: "postern"},
	}
	for file, source := range sources {
		out.Files[file] = strykerFile{Language: "cedar", Source: source, Mutants: []strykerMutant{}}
	}
	places := map[place]strykerLocation{}
	for _, m := range r.Mutants {
		at, known := places[place{m.File, m.Line}]
		if !known {
			at = locate(sources[m.File], m.Line)
			places[place{m.File, m.Line}] = at
		}
		status, reason := strykerStatus[m.Status], string(m.Status)
		if m.Accepted {
			status, reason = "Ignored", "accepted"
		}
		if m.Differs != "" {
			reason += ": " + m.Differs
		}
		file := out.Files[m.File]
		if file.Language == "" {
			file.Language = "cedar" // a file whose text is not there
		}
		file.Mutants = append(file.Mutants, strykerMutant{
			ID: m.ID, MutatorName: m.Operator, Description: "the policy " + m.Why, Replacement: m.After,
			Location: at, Status: status, StatusReason: reason,
		})
		out.Files[m.File] = file
	}
	return json.NewEncoder(to).Encode(out)
}

// locate finds where the policy ends that begins in a line: behind the next
// semicolon that is in no text and no comment.
func locate(source string, line int) strykerLocation {
	all := strings.SplitAfter(source, "\n")
	start := position{line, 1}
	end := start
	if line < 1 || line > len(all) {
		return strykerLocation{start, position{max(line, 1), 2}}
	}
	start.Column = 1 + len(all[line-1]) - len(strings.TrimLeft(all[line-1], " \t"))
	for n, text := range all[line-1:] {
		at, quoted := 0, false
		for ; at < len(text); at++ {
			switch c := text[at]; {
			case quoted && c == '\\':
				at++
			case c == '"':
				quoted = !quoted
			case !quoted && strings.HasPrefix(text[at:], "//"):
				at = len(text)
			case !quoted && c == ';':
				return strykerLocation{start, position{line + n, at + 2}}
			}
		}
		end = position{line + n, max(len(text), 2)}
	}
	return strykerLocation{start, end}
}
