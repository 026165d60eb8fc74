package mutants

import (
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
)

// request lists the mutants of every other field of the request that makes a
// container, and of what a user of the Engine does to it afterwards.
func request() []Mutant {
	var all []Mutant
	for _, a := range slices.Concat(askedOfContainer(), askedOfHost(), askedOfResources(), askedOfMounts(), askedOfNetworks()) {
		all = append(all, a.mutant())
	}
	return slices.Concat(all, own(), interference()) // a domain name is compared beside any network, a host name is not
}

// asked is one field of the create request that is set to a JSON value in
// spite of the profile. The control is that of the field in docker.Fields.
type asked struct {
	name   string // of the mutant
	path   string // as docker.Fields has it, or what such fields are in
	value  string // JSON, with $shared, $volume and $block for what the site has
	why    string
	also   []confine.Control // what admission finds weak besides
	needs  []Need
	unless Unless
	inert  Reason
	opens  []channel.ID
}

// mutant asks for the field.
func (a asked) mutant() Mutant {
	m := Mutant{
		ID: "request/" + a.name, Why: a.why, Weakens: ownerOf(a.path),
		Needs: a.needs, Unless: a.unless, Inert: a.inert, Opens: a.opens,
		Also: a.also,
	}
	m.Apply = func(c *gateway.Config, s Site) {
		if c.Profile.Extra == nil {
			c.Profile.Extra = map[string]string{}
		}
		c.Profile.Extra[a.path] = strings.NewReplacer("$shared", s.Shared, "$volume", s.Volume, "$block", s.Block).Replace(a.value)
	}
	return m
}

// ownerOf is the control of a field, or of the first field in an object.
func ownerOf(path string) confine.Control {
	for _, f := range docker.Fields() {
		if f.Path == path || strings.HasPrefix(f.Path, path+".") {
			return f.Control
		}
	}
	return ""
}
