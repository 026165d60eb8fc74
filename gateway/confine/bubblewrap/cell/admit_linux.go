package cell

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"postern/gateway/confine"
)

// AdmitCreated compares what bwrap has made with the profile, while it waits in
// the sandbox in place of the agent. The filter of system calls is not set yet.
func (c *Cell) AdmitCreated(context.Context) ([]confine.Refusal, error) {
	p, err := confine.ReadWaiting(c.first, c.id)
	if err != nil {
		return nil, fmt.Errorf("looking at what a cell is made of: %w", err)
	}
	return c.admit(confine.StageCreated, p)
}

// AdmitStarted compares the agent's own process.
func (c *Cell) AdmitStarted(context.Context) (int, []confine.Refusal, error) {
	p, err := confine.ReadProcess(c.first, c.id)
	if err != nil {
		return 0, nil, fmt.Errorf("looking at a cell's first process: %w", err)
	}
	weak, err := c.admit(confine.StageStarted, p)
	return c.first, weak, err
}

// admit adds what a cell has to be compared with: whoever made it, and its root.
func (c *Cell) admit(at confine.Stage, p confine.Process) ([]confine.Refusal, error) {
	limits, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return nil, fmt.Errorf("reading our own limits: %w", err)
	}
	p.ParentLimits, p.Root = string(limits), c.plan.Root
	for pid, into := range map[string]func(string){
		strconv.Itoa(c.first): func(link string) { p.Namespaces["user"] = link },
		"self":                func(link string) { p.Host["user"] = []string{link} },
	} {
		link, err := os.Readlink("/proc/" + pid + "/ns/user")
		if err != nil {
			return nil, fmt.Errorf("reading a user namespace: %w", err)
		}
		into(link)
	}
	return confine.AdmitCell(at, confine.Required(c.plan.Profile), p), nil
}

// AdmitEnded looks whether the limits of the cell that has ended are still those
// that it was admitted with.
func (c *Cell) AdmitEnded(context.Context) ([]confine.Refusal, error) {
	weak := confine.WeakLimits(confine.Required(c.plan.Profile), confine.ReadCgroups(c.cgroups))
	return confine.Refuse(confine.StageEnded, weak), nil
}
