package level2

import "testing"

// What sessions may come to.
var (
	released = Heard{Sound: true, Calls: 1, Sightings: 1}
	denied   = Heard{Sound: true, Code: "denied-policy"}
	stuck    = func(code string) Heard { return Heard{Sound: true, Code: code} }
	kept     = Heard{Sound: true, Calls: 1, Sightings: 1, Code: "denied-response"}
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name             string
		layer            Layer
		place            Place
		direction        Direction
		original, mutant Heard
		want             Status
	}{
		{"a release is seen", Policy, AtTool, Widens, denied, released, Killed},
		{"a permitted call is missed", Policy, AtTool, Narrows, released, denied, Killed},
		{"the wrong way round", Policy, AtTool, Narrows, denied, released, Survived},
		{"and the other", Policy, AtTool, Widens, released, denied, Survived},
		{"both are denied", Policy, AtTool, Widens, denied, denied, Survived},
		{"both are released", Policy, AtTool, Narrows, released, released, Survived},
		{"no direction", Policy, AtTool, "", denied, released, Survived},
		{"another layer denies", Ceilings, AtTool, Narrows, released, denied, Inconclusive},
		{"the zero session", Policy, AtTool, Widens, Heard{}, released, Inconclusive},
		{"a deaf observer", Policy, AtTool, Widens, Heard{Code: "denied-policy"}, released, Inconclusive},
		{"a release that the sink did not see", Policy, AtTool, Widens, denied, Heard{Sound: true}, Inconclusive},
		{"a call with another session's canary", Policy, AtTool, Widens, denied, Heard{Sound: true, Calls: 1}, Inconclusive},
		{"a canary without a call", Policy, AtTool, Widens, denied, Heard{Sound: true, Sightings: 1}, Inconclusive},
		{"two calls", Policy, AtTool, Widens, denied, Heard{Sound: true, Calls: 2, Sightings: 2}, Inconclusive},
		{"a call that was denied and arrived", Policy, AtTool, Widens, Heard{Sound: true, Calls: 1, Sightings: 1, Code: "denied-policy"}, released, Survived},
		{"the tool server fails", Policy, AtTool, Narrows, released, Heard{Sound: true, Code: "upstream-failed"}, Inconclusive},
		{"the audit log fails", Policy, AtTool, Narrows, released, Heard{Sound: true, Code: "gateway-unavailable"}, Inconclusive},
		{"the call was malformed", Policy, AtTool, Narrows, released, Heard{Sound: true, Code: "bad-arguments"}, Inconclusive},
		{"the tool is reached, whatever becomes of its answer", Policy, AtTool, Widens, denied, kept, Killed},
		{"an answer is kept", Ceilings, AtAnswer, Narrows, released, kept, Killed},
		{"an answer is let through", Ceilings, AtAnswer, Widens, kept, released, Killed},
		{"a frame gets as far as its arguments", Frames, AtArguments, Widens, stuck("frame-refused"), stuck("bad-arguments"), Killed},
		{"no frame does", Frames, AtArguments, Widens, stuck("frame-refused"), stuck("frame-refused"), Survived},
		{"a frame gets further", Frames, AtArguments, Widens, stuck("frame-refused"), released, Inconclusive},
		{"a frame is read", Frames, AtTool, Widens, stuck("frame-refused"), released, Killed},
		{"a frame is lost", Frames, AtTool, Narrows, released, stuck("frame-refused"), Killed},
		{"no answer without a call", Ceilings, AtAnswer, Narrows, released, Heard{Sound: true, Code: "denied-ceiling"}, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judge(c.layer, c.place, c.direction, c.original, c.mutant); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// One witness that did not show its mutant is enough.
func TestARowIsAsGoodAsTheWorstOfItsWitnesses(t *testing.T) {
	for _, c := range []struct {
		driven []Status
		want   Status
	}{
		{[]Status{Killed}, Killed},
		{[]Status{Killed, Killed}, Killed},
		{[]Status{Killed, Survived}, Survived},
		{[]Status{Inconclusive, Killed}, Inconclusive},
		{[]Status{Killed, Error}, Error},
		{nil, Equivalent},
	} {
		row := Row{Status: Equivalent}
		for _, s := range c.driven {
			row.Driven = append(row.Driven, Drive{Status: s})
		}
		if row.settle(); row.Status != c.want {
			t.Errorf("%v: %s, want %s", c.driven, row.Status, c.want)
		}
	}
}
