package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"postern/gateway/confine/secrets"
	"postern/gateway/guard"
	"postern/gateway/guard/spawn"
	"postern/gateway/upstream"
)

// gatewayConfinement is what a tool server of the gateway may reach.
type gatewayConfinement struct {
	Confine  string   `yaml:"confine"`  // standard, strict or off; "" is standard
	Required *bool    `yaml:"required"` // refuse to start it unconfined; nil is yes
	Read     []string `yaml:"read"`     // trees, besides
	Write    []string `yaml:"write"`    // trees, besides
	Ports    []int    `yaml:"ports"`    // of this machine
}

const unconfined = "off"

func (c gatewayConfinement) check() error {
	strict := c.Confine == string(guard.Strict)
	switch {
	case !slices.Contains([]string{"", string(guard.Standard), string(guard.Strict), unconfined}, c.Confine):
		return errors.New(`"confine" must be standard, strict or off`)
	case c.off() && (c.Required != nil || len(c.Read)+len(c.Write)+len(c.Ports) > 0):
		return errors.New(`with "confine: off" nothing is confined: leave out "required", "read", "write" and "ports"`)
	case !strict && len(c.Read) > 0:
		return errors.New(`"read" is for "confine: strict"; what is standard reads everything but secret places`)
	case !strict && len(c.Ports) > 0:
		return errors.New(`"ports" is for "confine: strict"; what is standard reaches none`)
	case slices.ContainsFunc(c.Ports, func(p int) bool { return p < 1 || p > 65535 }):
		return errors.New(`each of "ports" must be from 1 to 65535`)
	case slices.Contains(append(slices.Clone(c.Read), c.Write...), ""):
		return errors.New(`a path of "read" or "write" is empty`)
	}
	return nil
}

func (c gatewayConfinement) off() bool { return c.Confine == unconfined }

func (c gatewayConfinement) tier() guard.Tier {
	if c.Confine == "" {
		return guard.Standard
	}
	return guard.Tier(c.Confine)
}

// server is a tool server of the file's, enrolled by what the file says now.
func (f gatewayFile) server(ctx context.Context, name string, stderr io.Writer) (upstream.Server, error) {
	s := f.Servers[name]
	out := upstream.Server{Path: f.at(s.Program), SHA256: s.SHA256, Args: s.Args}
	for _, key := range sortedKeys(s.Env) {
		out.Env = append(out.Env, key+"="+s.Env[key])
	}
	if s.off() {
		fmt.Fprintf(stderr, "postern: WARNING: tool server %q runs UNCONFINED: the file says so\n", name)
		out.Guard.Optional, out.Guard.Quiet = true, true
		return out, nil
	}
	m, err := thisMachine()
	if err != nil {
		return out, err
	}
	here := spawn.Here()
	out.Guard.Places, out.Guard.Kernel = here.Places, here.Kernel
	hide := append(f.secrets(), m.State)
	reach := f.all(s.Write)
	if slices.ContainsFunc(hide, func(own string) bool {
		return slices.ContainsFunc(reach, func(tree string) bool { return secrets.Within(own, tree) })
	}) {
		return out, errors.New(`the gateway's own files lie in a tree that "write" names: keep them elsewhere`)
	}
	for _, tree := range append(reach, f.all(s.Read)...) {
		if _, err := os.Stat(tree); err != nil { // nobody would say later that it is not given
			return out, fmt.Errorf(`a path of "read" or "write": %w`, err)
		}
	}
	m.State = filepath.Join(m.State, "gateway", guard.Segment(f.path)) // not what clients enrolled by the same name
	return out, out.Enrol(ctx, upstream.Enrolment{
		Name: name, Tier: s.tier(), Required: s.Required == nil || *s.Required, Machine: m,
		Reach: reach, Read: f.all(s.Read), Ports: s.Ports, Hide: hide,
	})
}

// secrets are the gateway's own files: with the token a tool server would be the
// agent, and in the others it would read what was called.
func (f gatewayFile) secrets() []string {
	paths := []string{f.path}
	for _, p := range []string{f.TokenFile, f.Audit, f.AuditKeys, f.Telemetry.Log} {
		if p != "" {
			paths = append(paths, f.at(p))
		}
	}
	for _, beside := range []string{"-wal", "-shm", "-journal"} { // of SQLite
		paths = append(paths, f.at(f.Audit)+beside)
	}
	return paths
}

// all are paths of the file's.
func (f gatewayFile) all(paths []string) []string {
	var out []string
	for _, p := range paths {
		out = append(out, filepath.Clean(f.at(p)))
	}
	return out
}

// unstarted adds what to do where the guard did not start a server.
func unstarted(r *spawn.Refused, err error) error {
	if r.Reason == guard.BackendMissing {
		return fmt.Errorf(`%w; what may run unconfined has "required: false"`, err)
	}
	return err
}
