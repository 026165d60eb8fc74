package harness

import (
	"strconv"
	"testing"
	"time"

	"postern/gateway"
	"postern/harness/host"
)

func TestEntitled(t *testing.T) {
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++ // the same pid, another process
	now := time.Unix(1_000_000, 0)
	in := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	tests := []struct {
		name    string
		labels  map[string]string
		created time.Duration // ago
		want    bool
	}{
		{"a live owner within the deadline", map[string]string{labelOwner: self.String(), gateway.LabelDeadline: in(time.Minute)}, 0, true},
		{"a live owner, as a paused one is, after the deadline", map[string]string{labelOwner: self.String(), gateway.LabelDeadline: in(-time.Minute)}, 0, false},
		{"a dead owner within the deadline", map[string]string{labelOwner: dead.String(), gateway.LabelDeadline: in(time.Minute)}, 0, false},
		{"a live owner without a deadline", map[string]string{labelOwner: self.String()}, time.Hour, true},
		{"a dead owner in a live trial", map[string]string{labelOwner: dead.String(), labelTrial: self.String()}, 0, true},
		{"a dead owner in a dead trial", map[string]string{labelOwner: dead.String(), labelTrial: dead.String()}, 0, false},
		{"a live trial after the deadline", map[string]string{labelTrial: self.String(), gateway.LabelDeadline: in(-time.Second)}, 0, false},
		{"no owner, new", nil, time.Minute, true},
		{"no owner, old", nil, time.Hour, false},
		{"an owner that cannot be read, old", map[string]string{labelOwner: "me"}, time.Hour, false},
		{"no owner, new, after its deadline", map[string]string{gateway.LabelDeadline: in(-time.Second)}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := entitled(tt.labels, now.Add(-tt.created), now)
			if err != nil || got != tt.want {
				t.Errorf("entitled %v, want %v (%v)", got, tt.want, err)
			}
		})
	}
}
