package harness

import (
	"fmt"
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/harness/host"
	"postern/reports"
)

// maxShards bounds into how many parts a campaign is divided.
const maxShards = 1000

// ErrShard is the ErrUsage of a part that is none.
var ErrShard = fmt.Errorf("%w: --shard must be k/n, with n from 1 to %d and k from 1 to n", ErrUsage, maxShards)

// ParseShard reads "k/n".
func ParseShard(text string) (shard, shards int, err error) {
	if _, err := fmt.Sscanf(text, "%d/%d", &shard, &shards); err != nil || fmt.Sprintf("%d/%d", shard, shards) != text {
		return 0, 0, ErrShard
	}
	return shard, shards, checkShard(shard, shards)
}

func checkShard(shard, shards int) error {
	if shards < 1 || shards > maxShards || shard < 1 || shard > shards {
		return ErrShard
	}
	return nil
}

// inShard deals the trials out in the order of the manifest, so that every
// trial is in exactly one part and parts differ by one trial at most.
func inShard(place, shard, shards int) bool { return place%shards == shard-1 }

// Families lists what --family selects: the families of mutants and those of
// channels, sorted, each once.
func Families() []string {
	var all []string
	for _, p := range []Plan{{Tier: confine.TierHardened}, {Backend: BackendBubblewrap}} {
		for _, s := range p.Specs() {
			all = append(all, families(s)...)
		}
	}
	for _, c := range channel.All() {
		all = append(all, string(c.Family))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// families lists those of one trial: its mutant's own, and those of the
// channels that it opens. What weakens nothing is of none.
func families(s Spec) []string {
	if s.Kind != Mutation {
		return nil
	}
	all := []string{strings.Split(s.ID, "/")[1]}
	for _, id := range s.Opens {
		family, _, _ := strings.Cut(string(id), ".")
		all = append(all, family)
	}
	return all
}

// inFamilies reports whether a trial is of any of the wanted families; where
// none is wanted, every trial is.
func inFamilies(s Spec, wanted []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(families(s), func(f string) bool { return slices.Contains(wanted, f) })
}

func checkFamilies(wanted []string) error {
	known := Families()
	for _, f := range wanted {
		if !slices.Contains(known, f) {
			return fmt.Errorf("%w: --family must be one of: %s", ErrUsage, strings.Join(known, " "))
		}
	}
	return nil
}

func checkProfile(name string) error {
	switch reports.Profile(name) {
	case "", reports.Reference, reports.Hardened:
		return nil
	}
	return fmt.Errorf("%w: --profile must be %s or %s", ErrUsage, reports.Reference, reports.Hardened)
}

// profile is the closed word for the profile that was asked for.
func (o Options) profile() reports.Profile {
	if o.Profile == "" {
		return reports.Reference
	}
	return reports.Profile(o.Profile)
}

// tier is the profile that was asked for, as the gateway names it.
func (o Options) tier() confine.Tier { return tierOf(o.profile()) }

func tierOf(p reports.Profile) confine.Tier {
	if p == reports.Hardened {
		return confine.TierHardened
	}
	return confine.TierReference
}

// plan is the campaign that was asked for.
func (o Options) plan() Plan {
	p := PlanHere(o.Runs, o.tier())
	p.Backend = o.Backend
	return p
}

func (o Options) checkBackend() error {
	switch {
	case o.Backend == BackendBubblewrap && o.profile() != reports.Reference:
		return ErrCells
	case o.Backend != "" && o.Backend != BackendDocker && o.Backend != BackendBubblewrap:
		return ErrBackend
	}
	return nil
}

// PlanHere is the campaign as this machine can run it.
func PlanHere(runs int, tier confine.Tier) Plan {
	return Plan{Runs: runs, Tier: tier, Lack: lacking(host.Look().CompatCalls), Unsandboxed: !sandboxed()}
}

// lacking lists the channels that no program can try where the kernel has no
// entry for those of 32 bits: it was built without, or a hypervisor below it
// answers with a fault.
func lacking(hasEntry bool) []channel.ID {
	if hasEntry {
		return nil
	}
	return []channel.ID{channel.KernelCompat, channel.KernelCall32}
}
