package docker

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"postern/gateway/confine"

	"github.com/go-json-experiment/json/jsontext"
)

// Admit compares the Engine's account of a container (the raw answer of
// inspect) with the profile that was wanted, and names the controls that are
// not in place. Nothing named means: admitted.
//
// The comparison is closed. Every key must be in the table of expectations
// with a value that the table allows; a key that is unknown, missing, spelt in
// another case or given twice is refused. What is expected is the strict profile;
// only the user and the limits are taken from want, and a want that is weak is
// itself refused. The stage is read from the account: created, or running; one
// that has ended is refused here.
func Admit(want confine.Profile, image string, inspect []byte) []confine.Refusal {
	a := &account{want: want, image: image}
	weak := a.compare(inspect)
	return confine.Refuse(a.stage(), weak)
}

// AdmitEnded compares the account of a container that has ended, as closed as
// Admit, and what was done to it meanwhile (Life.End).
func AdmitEnded(want confine.Profile, image string, inspect []byte, actions []string) []confine.Refusal {
	a := &account{want: want, image: image, over: true}
	weak := a.compare(inspect)
	switch text(a.values["State.Status"]) {
	case "removing", "dead": // the Engine is taking the account apart: what is missing says nothing
		weak = []confine.Control{confine.AutoremoveOff}
	}
	health := a.values["Config.Healthcheck"]
	return confine.Refuse(confine.StageEnded, append(weak, weakActions(actions, len(health) > 0 && string(health) != "null")...))
}

// compare names the controls that the account finds weak.
func (a *account) compare(inspect []byte) []confine.Control {
	table := closed()
	if err := a.read(inspect, table.branch); err != nil {
		return []confine.Control{confine.Unrecognised}
	}
	weak := confine.Weaknesses(a.want)
	for _, e := range table.rows {
		v, present := a.values[e.path]
		switch {
		case !present && e.optional:
		case !present || !e.allows(v, a):
			weak = append(weak, e.control)
		}
	}
	for path := range a.values {
		if !table.known[path] {
			weak = append(weak, a.owner(path))
		}
	}
	return weak
}

// expectation is one key of the account, the control it belongs to, and what
// it may say. A path may have several, when its parts belong to several controls.
type expectation struct {
	path     string
	control  confine.Control
	allows   func(v jsontext.Value, a *account) bool
	optional bool // some Engine that is as strict leaves it out
}

// expectations is the whole table.
func expectations() []expectation {
	return slices.Concat(
		lifeExpectations(), hostExpectations(), denyExpectations(), resourceExpectations(),
		configExpectations(), networkExpectations(),
	)
}

// table is the expectations with what is derived from them.
type table struct {
	rows   []expectation
	known  map[string]bool // every path that has a row
	branch map[string]bool // the objects that are taken apart; all other values are compared whole
}

// closed is the table, made once and never changed.
var closed = sync.OnceValue(func() table {
	t := table{rows: expectations(), known: map[string]bool{}, branch: map[string]bool{"": true}}
	for _, e := range t.rows {
		t.known[e.path] = true
		for i, c := range e.path {
			if c == '.' {
				t.branch[e.path[:i]] = true
			}
		}
	}
	return t
})

// owner is the control for a key that nobody knows: in the network's part any
// novelty may be a way out, elsewhere it is a thing not understood.
func (a *account) owner(path string) confine.Control {
	joined, ok := strings.CutPrefix(path, "NetworkSettings.Networks.")
	if name, _, _ := strings.Cut(joined, "."); ok && name != a.network() {
		return confine.NetworksNone
	}
	if strings.HasPrefix(path, "NetworkSettings") {
		return confine.NetworkNone
	}
	return confine.Unrecognised
}

// network is the one that the network mode alone would join.
func (a *account) network() string {
	mode := text(a.values["HostConfig.NetworkMode"])
	if mode == "" || mode == "default" {
		return "bridge"
	}
	return mode
}

// account is an inspect answer, flattened: "HostConfig.Binds" -> its value.
type account struct {
	values map[string]jsontext.Value // white space removed
	want   confine.Profile
	image  string
	over   bool       // it must have ended
	ours   *ownFilter // once it was asked for
}

func (a *account) id() string    { return text(a.values["Id"]) }
func (a *account) started() bool { return text(a.values["State.Status"]) == "running" }
func (a *account) stage() confine.Stage {
	if a.started() {
		return confine.StageStarted
	}
	return confine.StageCreated
}

// read takes an account apart. jsontext refuses what encoding/json would
// repair: duplicate names, invalid UTF-8; bytes after the end are refused here.
func (a *account) read(inspect []byte, branch map[string]bool) error {
	a.values = make(map[string]jsontext.Value, 256)
	dec := jsontext.NewDecoder(bytes.NewReader(inspect))
	if err := a.descend(dec, "", branch); err != nil {
		a.values = nil
		return err
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		a.values = nil
		return errors.New("reading an account: more follows it")
	}
	return nil
}

// descend reads one value. Only branches are entered, so the depth is that of
// the table and not of the input.
func (a *account) descend(dec *jsontext.Decoder, path string, branch map[string]bool) error {
	if !branch[path] || dec.PeekKind() != '{' {
		v, err := dec.ReadValue()
		if err != nil {
			return err
		}
		v = v.Clone() // the decoder reuses it
		if k := v.Kind(); k == '[' || k == '{' {
			err = v.Compact()
		}
		a.values[path] = v
		return err
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		child := name.String()
		if strings.Contains(child, ".") {
			child = "(dotted)" // would read as a path; the Engine has none here
		}
		if path != "" {
			child = path + "." + child
		}
		if err := a.descend(dec, child, branch); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}
