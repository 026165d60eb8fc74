//go:build !linux

package harness

import (
	"errors"

	"postern/mutants"
)

var errNoLinux = errors.New("the state of the kernel is known on Linux only")

func fileHandle(string) (string, error) { return "", errNoLinux }

func kernelFurniture() map[mutants.Need]piece { return nil }

func clockError() (int64, error) { return 0, errNoLinux }

func setClockError(int64) error { return errNoLinux }

func removeCgroups() error { return errNoLinux }

func removeParent(string) error { return errNoLinux }

func removeReleased(string) error { return errNoLinux }
