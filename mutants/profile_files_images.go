package mutants

import (
	"postern/gateway"
	"postern/gateway/confine"
)

// images lists the mutants of what an image says of itself and no other
// control answers for.
func images() []Mutant {
	return []Mutant{
		{
			ID:      "profile/image-trigger",
			Why:     "the image has an instruction for whoever builds on it",
			Weakens: confine.ImageImmutable,
			Needs:   []Need{NeedTriggerImage},
			Inert:   "nothing-builds-on-it",
			Apply:   func(c *gateway.Config, s Site) { c.Image = s.TriggerImage },
		},
		{
			ID:      "profile/image-environment",
			Why:     "the image sets a variable of the agent's environment",
			Weakens: confine.EnvNone,
			Needs:   []Need{NeedEnvironmentImage},
			Inert:   "known-before-the-secret",
			Apply:   func(c *gateway.Config, s Site) { c.Image = s.EnvironmentImage },
		},
	}
}
