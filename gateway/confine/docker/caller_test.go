package docker

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"postern/gateway/confine"

	"github.com/docker/docker/pkg/stdcopy"
)

// refusedGroups runs the caller under a profile and tells which groups were
// refused in all their calls, and which in none.
func refusedGroups(t *testing.T, e *Engine, img string, p confine.Profile) (all, none []string) {
	t.Helper()
	id := created(t, e, img, p)
	attached, err := e.Attach(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Close()
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if _, err := stdcopy.StdCopy(&out, &errs, attached.Output); err != nil {
		t.Fatal(err)
	}
	said := map[string][2]bool{} // refused once, let through once
	for line := range strings.Lines(out.String()) {
		group, refused, _ := strings.Cut(strings.TrimSpace(line), " ")
		was := said[group]
		said[group] = [2]bool{was[0] || refused == "true", was[1] || refused == "false"}
	}
	for group, s := range said {
		if !s[1] {
			all = append(all, group)
		}
		if !s[0] {
			none = append(none, group)
		}
	}
	slices.Sort(all)
	slices.Sort(none)
	removed(t, e, id)
	return all, none
}

// The filter refuses every group, and without one lets that one through and
// no other. Packet sockets need a capability besides, 32-bit calls another program.
func TestTheFilterRefusesWhatItSays(t *testing.T) {
	e := realEngine(t)
	img := imported(t, e, "caller")
	every, none := refusedGroups(t, e, img, confine.Hardened())
	if len(every) != len((&confine.Deny{}).Groups())-2 || none != nil {
		t.Fatalf("refused %v, let through %v", every, none)
	}
	deny := confine.DenyAll()
	for i, g := range deny.Groups() {
		name := strings.TrimPrefix(string(g.Control), "profile.deny-")
		p := confine.Hardened()
		*p.Deny.Groups()[i].On = false
		all, _ := refusedGroups(t, e, img, p)
		others := slices.DeleteFunc(slices.Clone(every), func(s string) bool { return s == name })
		if !slices.Equal(all, others) {
			t.Errorf("without %s: refused %v, want %v", name, all, others)
		}
	}
}
