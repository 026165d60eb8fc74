//go:build !unix

package statefile

import (
	"errors"
	"io/fs"
	"os"
)

// Lock is known on Unix only.
func Lock(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func private(fs.FileInfo) bool { return false }
