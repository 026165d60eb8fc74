package harness

import (
	"context"

	"postern/fixtures"
	"postern/mutants"
)

// imageFurniture is the agent's image with one thing more. Images are named by
// their contents, so a trial does not remove one: others of the run may use it.
// The run does, whose label they bear.
func imageFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{
		mutants.NeedSetuidImage:     variant(fixtures.Variant{Setuid: true}, func(s *mutants.Site) *string { return &s.SetuidImage }),
		mutants.NeedCapabilityImage: variant(fixtures.Variant{Capability: true}, func(s *mutants.Site) *string { return &s.CapabilityImage }),
		mutants.NeedDirectoryImage:  variant(fixtures.Variant{VolumeDir: true}, func(s *mutants.Site) *string { return &s.DirectoryImage }),
		mutants.NeedVolumeImage: variant(fixtures.Variant{VolumeDir: true, Volumes: []string{fixtures.VolumeDir}},
			func(s *mutants.Site) *string { return &s.VolumeImage }),
		mutants.NeedPortImage: variant(fixtures.Variant{Ports: []string{"8080/tcp"}}, func(s *mutants.Site) *string { return &s.PortImage }),
		mutants.NeedHealthImage: variant(fixtures.Variant{Healthcheck: []string{"CMD", fixtures.AgentPath}},
			func(s *mutants.Site) *string { return &s.HealthImage }),
		mutants.NeedTriggerImage:     variant(fixtures.Variant{Triggers: []string{"RUN " + fixtures.AgentPath}}, func(s *mutants.Site) *string { return &s.TriggerImage }),
		mutants.NeedEnvironmentImage: variant(fixtures.Variant{Env: []string{"POSTERN_TEST=1"}}, func(s *mutants.Site) *string { return &s.EnvironmentImage }),
	}
}

// variant makes an image and notes its id in a field of the site.
func variant(v fixtures.Variant, field func(*mutants.Site) *string) piece {
	return func(ctx context.Context, t *trial) (func() error, error) {
		v.Labels = map[string]string{labelOwner: t.owner.String()}
		id, err := fixtures.BuildVariant(ctx, t.api, t.binaries.Agent, v)
		*field(&t.site) = id
		return func() error { return nil }, err
	}
}
