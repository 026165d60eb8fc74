package reports

import (
	"slices"
	"strings"
)

// Fault is what became of the runs of one fault: a hurt to the trusted side
// while the agent held plaintext.
type Fault struct {
	ID         string `json:"id"`
	Runs       int    `json:"runs"`
	Stopped    int    `json:"stopped"`    // runs whose container was seen to die and was not left running
	Deliveries int    `json:"deliveries"` // sightings, releases apart
	MinUS      int64  `json:"min_us"`     // from the fault to the death, over the stopped runs; 0 where none stopped
	P50US      int64  `json:"p50_us"`     // nearest rank, as P99US
	P99US      int64  `json:"p99_us"`
	MaxUS      int64  `json:"max_us"`
}

// tallyFaults counts the supervision trials of each fault, in the order in
// which the faults first occur.
func tallyFaults(channels []Channel, trials []Trial) []Fault {
	var faults []Fault
	var times [][]int64 // of each fault
	place := map[string]int{}
	for _, t := range trials {
		if t.Kind != Supervision {
			continue
		}
		id := faultOf(t.ID)
		at, known := place[id]
		if !known {
			at = len(faults)
			place[id] = at
			faults, times = append(faults, Fault{ID: id}), append(times, nil)
		}
		faults[at].Runs++
		faults[at].Deliveries += deliveries(channels, t)
		if t.stopped() {
			times[at] = append(times[at], t.StoppedUS)
		}
	}
	for i := range faults {
		faults[i].measure(times[i])
	}
	return faults
}

// faultOf is the fault in a trial's id, "supervision/<fault>/<run>". An id of
// another form, which the schema refuses, gives no word, which it refuses too.
func faultOf(id string) string {
	parts := strings.Split(id, "/")
	if len(parts) != 3 || parts[0] != string(Supervision) {
		return ""
	}
	return parts[1]
}

// stopped reports whether the container's death was seen and fits how the
// container was found at the end.
func (t Trial) stopped() bool {
	return t.StoppedUS > 0 && (t.Container == Exited || t.Container == Absent)
}

// deliveries sums the sightings of a trial but those of a release at its own
// sink: the same canary elsewhere is a delivery.
func deliveries(channels []Channel, t Trial) int {
	sum := 0
	for _, o := range t.Observations {
		if !slices.ContainsFunc(channels, func(c Channel) bool { return c.Release && c.ID == o.Channel && c.Sink == o.Sink }) {
			sum += o.Sightings
		}
	}
	return sum
}

func (f *Fault) measure(times []int64) {
	f.Stopped = len(times)
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	f.MinUS, f.P50US, f.P99US, f.MaxUS = times[0], nearestRank(times, 50), nearestRank(times, 99), times[len(times)-1]
}

// nearestRank is the smallest of the sorted times that at least p percent of
// them do not exceed: always one that was measured.
func nearestRank(times []int64, p int) int64 {
	return times[(len(times)*p+99)/100-1]
}
