package confine

import (
	"reflect"
	"slices"
	"testing"
)

func TestHardenedHasNoWeakness(t *testing.T) {
	if got := Weaknesses(Hardened()); got != nil {
		t.Errorf("the hardened profile is weak in %v", got)
	}
	p := Hardened()
	p.ShmSize, p.CPU.Nano, p.Pids = 1<<16, 5e8, 8
	if got := Weaknesses(p); got != nil {
		t.Errorf("a stricter profile is weak in %v", got)
	}
}

// Each group that is not refused any more is a weakness of its own control.
func TestEveryDeniedGroupIsAControl(t *testing.T) {
	fields := reflect.TypeFor[Deny]()
	all := Hardened()
	if got := len(all.Deny.Groups()); got != fields.NumField() {
		t.Fatalf("%d groups of %d fields", got, fields.NumField())
	}
	for f := range fields.Fields() {
		p := Hardened()
		reflect.ValueOf(&p.Deny).Elem().FieldByIndex(f.Index).SetBool(false)
		at := slices.IndexFunc(Controls(), func(c ControlInfo) bool { return c.Field == "Deny."+f.Name })
		if at < 0 {
			t.Errorf("Deny.%s belongs to no control", f.Name)
			continue
		}
		if got := Weaknesses(p); !slices.Equal(got, []Control{Controls()[at].ID}) {
			t.Errorf("without Deny.%s: weak in %v, want %s", f.Name, got, Controls()[at].ID)
		}
	}
}

// The reference has the Engine's filter; one of ours would be another.
func TestTheReferenceDeniesNothing(t *testing.T) {
	p := Reference()
	p.Deny.Vsock = true
	if got := Weaknesses(p); !slices.Equal(got, []Control{SeccompDefault}) {
		t.Errorf("weak in %v", got)
	}
}

func TestAnUnknownTierIsRefused(t *testing.T) {
	p := Hardened()
	p.Tier = "soft"
	if got := Weaknesses(p); !slices.Contains(got, Unrecognised) {
		t.Errorf("weak in %v", got)
	}
	reference := Reference()
	reference.Tier = TierHardened
	if got := Weaknesses(reference); len(got) < len(DenyAll().beyond(Deny{})) {
		t.Errorf("a reference that claims to be hardened is weak in %v only", got)
	}
}

// A weakened subject is held to its tier.
func TestRequired(t *testing.T) {
	for _, tier := range []Profile{Reference(), Hardened()} {
		p := tier.Clone()
		p.Network, p.Deny, p.Pids, p.User, p.Memory, p.ShmSize, p.CPU = "host", Deny{}, 0, "0:0", 1<<40, 1<<40, CPU{Shares: 4}
		if got := Required(p); !reflect.DeepEqual(got, tier) {
			t.Errorf("tier %q: %+v is required", tier.Tier, got)
		}
		p = tier.Clone()
		p.Pids, p.User, p.Memory = 8, "10777:10777", 1<<20
		if got := Required(p); !reflect.DeepEqual(got, p) {
			t.Errorf("tier %q: %+v is required of a stricter profile", tier.Tier, got)
		}
	}
}

func TestParseUlimit(t *testing.T) {
	if u, err := ParseUlimit("nofile=64:-1"); err != nil || u != (Ulimit{"nofile", 64, -1}) {
		t.Errorf("%+v, %v", u, err)
	}
	for _, bad := range []string{"", "nofile", "nofile=", "nofile=1", "nofile=1:", "=1:1", "nofile=1:x", "nofile=1:2:3"} {
		if _, err := ParseUlimit(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
