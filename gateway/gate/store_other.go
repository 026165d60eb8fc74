//go:build !unix

package gate

import (
	"errors"
	"io/fs"
	"os"
)

func takeLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }
func private(fs.FileInfo) bool          { return false }
