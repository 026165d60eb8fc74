//go:build !linux

package observers

import (
	"errors"

	"postern/observers/canary"
)

var errNoLinux = errors.New("the kernel is looked at on Linux only")

// NewKeyring needs Linux.
func NewKeyring(int, *canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// ClearKeyring needs Linux.
func ClearKeyring(int) error { return errNoLinux }

// NewTasks needs Linux.
func NewTasks(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewBPF needs Linux.
func NewBPF(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewDmesg needs Linux.
func NewDmesg(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewAudit needs Linux.
func NewAudit(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewSettings needs Linux.
func NewSettings(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewCgroups needs Linux.
func NewCgroups(*canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewCore needs Linux.
func NewCore(string, *canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }

// NewDecoy needs Linux.
func NewDecoy(string, string, *canary.Watch, Pilots) (*Lookout, error) { return nil, errNoLinux }
