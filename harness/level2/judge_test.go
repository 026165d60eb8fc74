package level2

import "testing"

// wrote is a session of which the gateway wrote something.
func wrote(h Heard, e Exhaust) Heard {
	h.Told, h.Exhaust = 1, e
	return h
}

// told is a session in which the agent was sent what it must not be.
func told(h Heard) Heard {
	h.Sent = 1
	return h
}

// leaked is a session in which the canary stood beside the call.
func leaked(h Heard) Heard {
	h.Sightings = 1
	return h
}

// What sessions may come to.
var (
	read     = Heard{Sound: true, Calls: 1}
	released = Heard{Sound: true, Calls: 1, Sightings: 1}
	denied   = Heard{Sound: true, Code: "denied-policy"}
	stuck    = func(code Code) Heard { return Heard{Sound: true, Code: code} }
	kept     = Heard{Sound: true, Calls: 1, Sightings: 1, Code: "denied-response"}
	broken   = Heard{Sound: true, Calls: 1, Sightings: 1, Code: failed}
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name             string
		stop             Code
		place            Place
		direction        Direction
		original, mutant Heard
		want             Status
	}{
		{"a release is seen", byPolicy, AtTool, Widens, denied, released, Killed},
		{"a permitted call is missed", byPolicy, AtTool, Narrows, released, denied, Killed},
		{"the wrong way round", byPolicy, AtTool, Narrows, denied, released, Survived},
		{"and the other", byPolicy, AtTool, Widens, released, denied, Survived},
		{"both are denied", byPolicy, AtTool, Widens, denied, denied, Survived},
		{"both are released", byPolicy, AtTool, Narrows, released, released, Survived},
		{"no direction", byPolicy, AtTool, "", denied, released, Survived},
		{"another layer denies", byCeiling, AtTool, Narrows, released, denied, Inconclusive},
		{"the zero session", byPolicy, AtTool, Widens, Heard{}, released, Inconclusive},
		{"a deaf observer", byPolicy, AtTool, Widens, Heard{Code: "denied-policy"}, released, Inconclusive},
		{"a release that the sink did not see", byPolicy, AtTool, Widens, denied, Heard{Sound: true}, Inconclusive},
		{"a call with another session's canary", byPolicy, AtTool, Widens, denied, Heard{Sound: true, Calls: 1}, Inconclusive},
		{"a canary without a call", byPolicy, AtTool, Widens, denied, Heard{Sound: true, Sightings: 1}, Inconclusive},
		{"two calls", byPolicy, AtTool, Widens, denied, Heard{Sound: true, Calls: 2, Sightings: 2}, Inconclusive},
		{"a call that was denied and arrived", byPolicy, AtTool, Widens, Heard{Sound: true, Calls: 1, Sightings: 1, Code: "denied-policy"}, released, Survived},
		{"the tool server fails", byPolicy, AtTool, Narrows, released, Heard{Sound: true, Code: "upstream-failed"}, Inconclusive},
		{"the audit log fails", byPolicy, AtTool, Narrows, released, Heard{Sound: true, Code: "gateway-unavailable"}, Inconclusive},
		{"the call was malformed", byPolicy, AtTool, Narrows, released, Heard{Sound: true, Code: "bad-arguments"}, Inconclusive},
		{"the tool is reached, whatever becomes of its answer", byPolicy, AtTool, Widens, denied, kept, Killed},
		{"an answer is kept", byCeiling, AtAnswer, Narrows, released, kept, Killed},
		{"an answer is let through", byCeiling, AtAnswer, Widens, kept, released, Killed},
		{"a frame gets as far as its arguments", refused, AtArguments, Widens, stuck("frame-refused"), stuck("bad-arguments"), Killed},
		{"no frame does", refused, AtArguments, Widens, stuck("frame-refused"), stuck("frame-refused"), Survived},
		{"a frame gets further", refused, AtArguments, Widens, stuck("frame-refused"), released, Inconclusive},
		{"a frame is read", refused, AtTool, Widens, stuck("frame-refused"), released, Killed},
		{"a frame is lost", refused, AtTool, Narrows, released, stuck("frame-refused"), Killed},
		{"a failure is answered", failed, AtAnswer, Widens, Heard{Sound: true, Calls: 1, Sightings: 1, Code: failed}, released, Killed},
		{"a gateway that was not to open opens", noTools, AtTool, Widens, stuck(noTools), released, Killed},
		{"it does not open for another reason", noTools, AtTool, Widens, stuck(noLabels), released, Inconclusive},
		{"what was to come before did not", byCeiling, AtTool, Widens, stuck(unready), released, Inconclusive},
		{"nothing of a call that arrived is in the log, but for the mutant's", "", AtAuditFile, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Audit: 1}), Killed},
		{"it is in both", "", AtAuditFile, Widens, wrote(released, Exhaust{Audit: 1}), wrote(released, Exhaust{Audit: 1}), Survived},
		{"it is elsewhere", "", AtAuditFile, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Guesses: 1, Rows: 1}), Survived},
		{"a dictionary opens it", "", AtDictionary, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Guesses: 1}), Killed},
		{"a row is missing", "", AtRows, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Rows: 1}), Killed},
		{"a row of a denial is missing", byPolicy, AtRows, Widens, wrote(denied, Exhaust{}), wrote(denied, Exhaust{Rows: 1}), Killed},
		{"the call never arrived", "", AtAuditFile, Widens, wrote(Heard{Sound: true}, Exhaust{}), wrote(released, Exhaust{Audit: 1}), Inconclusive},
		{"it was denied", "", AtRows, Widens, wrote(denied, Exhaust{}), wrote(denied, Exhaust{Rows: 1}), Inconclusive},
		{"it was not denied", byPolicy, AtRows, Widens, wrote(denied, Exhaust{}), wrote(released, Exhaust{Rows: 1}), Inconclusive},
		{"a span says it", "", AtSpans, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Spans: 1}), Killed},
		{"a line says it", "", AtLog, Widens, wrote(released, Exhaust{}), wrote(released, Exhaust{Log: 1}), Killed},
		{"there was no span", "", AtSpans, Widens, released, wrote(released, Exhaust{Spans: 1}), Inconclusive},
		{"the log's observer is deaf", "", AtAuditFile, Widens, wrote(released, Exhaust{}), Heard{Calls: 1, Sightings: 1, Told: 1, Exhaust: Exhaust{Audit: 1}}, Inconclusive},
		{"the agent is sent what was beside an answer", "", AtAgent, Widens, released, told(released), Killed},
		{"it is in both", "", AtAgent, Widens, told(released), told(released), Survived},
		{"it is in neither", "", AtAgent, Widens, released, released, Survived},
		{"the agent is sent what was refused", failed, AtAgent, Widens, broken, told(released), Killed},
		{"the call never reached the tool", failed, AtAgent, Widens, stuck(failed), told(released), Inconclusive},
		{"it failed in another way", "", AtAgent, Widens, broken, told(released), Inconclusive},
		{"the answer was kept", "", AtAgent, Widens, released, kept, Inconclusive},
		{"the agent's observer is deaf", "", AtAgent, Widens, Heard{Calls: 1, Sightings: 1}, told(released), Inconclusive},
		{"the tool server reads what stood beside a call", "", AtWire, Widens, read, leaked(read), Killed},
		{"it reads it in both", "", AtWire, Widens, leaked(read), leaked(read), Survived},
		{"it reads it in neither", "", AtWire, Widens, read, read, Survived},
		{"the call never reached it", "", AtWire, Widens, Heard{Sound: true}, leaked(read), Inconclusive},
		{"it read two", "", AtWire, Widens, read, leaked(Heard{Sound: true, Calls: 2}), Inconclusive},
		{"the call ended in another way", failed, AtWire, Widens, read, leaked(read), Inconclusive},
		{"its observer is deaf", "", AtWire, Widens, read, leaked(Heard{Calls: 1}), Inconclusive},
		{"no answer without a call", byCeiling, AtAnswer, Narrows, released, Heard{Sound: true, Code: "denied-ceiling"}, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Drive{Stop: c.stop, Place: c.place, Direction: c.direction, Original: c.original, Mutant: c.mutant}
			if got := Judge(d); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// One witness that did not show its mutant is enough.
func TestARowIsAsGoodAsTheWorstOfItsWitnesses(t *testing.T) {
	for _, c := range []struct {
		foretold Status
		driven   []Status
		want     Status
	}{
		{Killed, []Status{Killed}, Killed},
		{Killed, []Status{Killed, Killed}, Killed},
		{Killed, []Status{Killed, Survived}, Survived},
		{Killed, []Status{Inconclusive, Killed}, Inconclusive},
		{Killed, []Status{Inconclusive, Survived}, Survived},
		{Killed, []Status{Killed, Error}, Error},
		{Killed, []Status{Killed, ""}, Inconclusive},
		{Equivalent, []Status{Killed}, Equivalent},
		{Equivalent, []Status{Survived}, Survived},
		{Equivalent, nil, Equivalent},
		{Killed, nil, Inconclusive},
	} {
		var driven []Drive
		for _, s := range c.driven {
			driven = append(driven, Drive{Status: s})
		}
		if got := Settle(c.foretold, driven); got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.foretold, c.driven, got, c.want)
		}
	}
}
