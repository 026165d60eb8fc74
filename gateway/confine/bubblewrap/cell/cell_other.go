//go:build !linux

package cell

import (
	"context"
	"errors"

	"postern/gateway/confine"
)

// Cell is for Linux.
type Cell struct{}

// errLinux says so.
var errLinux = errors.New("bubblewrap is for Linux")

// Create is for Linux.
func Create(context.Context, Plan) (*Cell, error) { return nil, errLinux }

// Sweep has nothing to do: there are no cells here.
func Sweep() error { return nil }

// Stage is for Linux.
func Stage() int { return 125 }

func (c *Cell) ID() string                                                   { return "" }
func (c *Cell) Start(context.Context) error                                  { return errLinux }
func (c *Cell) Wait(context.Context) (int, error)                            { return 0, errLinux }
func (c *Cell) Running(context.Context) (bool, error)                        { return false, errLinux }
func (c *Cell) Kill(context.Context) error                                   { return errLinux }
func (c *Cell) Remove(context.Context) error                                 { return errLinux }
func (c *Cell) Attach() confine.Attached                                     { return confine.Attached{} }
func (c *Cell) AdmitCreated(context.Context) ([]confine.Refusal, error)      { return nil, errLinux }
func (c *Cell) AdmitStarted(context.Context) (int, []confine.Refusal, error) { return 0, nil, errLinux }
func (c *Cell) AdmitEnded(context.Context) ([]confine.Refusal, error)        { return nil, errLinux }
