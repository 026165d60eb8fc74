package docker

import (
	"postern/gateway/confine"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"github.com/docker/docker/api/types/network"
)

// ulimits is the limit on cores and those that the profile has besides.
func ulimits(p confine.Profile) ([]*container.Ulimit, error) {
	var out []*container.Ulimit
	if !p.Core.Omit {
		out = append(out, &container.Ulimit{Name: "core", Soft: p.Core.Soft, Hard: p.Core.Hard})
	}
	for _, text := range p.Ulimits {
		u, err := confine.ParseUlimit(text)
		if err != nil {
			return nil, err
		}
		out = append(out, &container.Ulimit{Name: u.Name, Soft: u.Soft, Hard: u.Hard})
	}
	return out, nil
}

func mounts(all []confine.Mount) []mount.Mount {
	var out []mount.Mount
	for _, m := range all {
		made := mount.Mount{Type: mount.Type(m.Type), Source: m.Source, Target: m.Target, ReadOnly: m.ReadOnly}
		if m.Propagation != "" {
			made.BindOptions = &mount.BindOptions{Propagation: mount.Propagation(m.Propagation)}
		}
		out = append(out, made)
	}
	return out
}

// endpoints asks for networks besides the network mode's.
func endpoints(networks []string) *network.NetworkingConfig {
	c := &network.NetworkingConfig{}
	for _, n := range networks {
		if c.EndpointsConfig == nil {
			c.EndpointsConfig = map[string]*network.EndpointSettings{}
		}
		c.EndpointsConfig[n] = &network.EndpointSettings{}
	}
	return c
}
