package bridge_test

import (
	"slices"
	"strings"
	"testing"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

func TestLimitsWithinTheirMaximaPass(t *testing.T) {
	for _, l := range []bridge.Limits{
		{},
		bridge.DefaultLimits(),
		{Frame: frame.Limits{Bytes: 1, Depth: 1}, Output: 1, Calls: 1, Session: 1, Reply: 1},
		{
			Frame:  frame.Limits{Bytes: frame.MaxBytes, Depth: frame.MaxDepth},
			Output: bridge.MaxOutput, Calls: bridge.MaxCalls, Session: bridge.MaxSession, Reply: bridge.MaxReply,
			Quantum: bridge.MaxQuantum,
		},
	} {
		if err := l.Validate(); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestEachLimitIsBoundedOnBothSides(t *testing.T) {
	for name, l := range map[string][2]bridge.Limits{
		"frame bytes": {{Frame: frame.Limits{Bytes: -1}}, {Frame: frame.Limits{Bytes: frame.MaxBytes + 1}}},
		"frame depth": {{Frame: frame.Limits{Depth: -1}}, {Frame: frame.Limits{Depth: frame.MaxDepth + 1}}},
		"output":      {{Output: -1}, {Output: bridge.MaxOutput + 1}},
		"calls":       {{Calls: -1}, {Calls: bridge.MaxCalls + 1}},
		"session":     {{Session: -1}, {Session: bridge.MaxSession + 1}},
		"reply":       {{Reply: -1}, {Reply: bridge.MaxReply + 1}},
		"quantum":     {{Quantum: -1}, {Quantum: bridge.MaxQuantum + 1}},
	} {
		for _, l := range l {
			if err := l.Validate(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%+v: error %v does not name %s", l, err, name)
			}
		}
	}
}

func TestOutcomesAreDistinctWords(t *testing.T) {
	all := bridge.Outcomes()
	for i, o := range all {
		if o == "" || strings.Trim(string(o), "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("outcome %q is no word", o)
		}
		if slices.Contains(all[:i], o) {
			t.Errorf("outcome %q twice", o)
		}
	}
}
