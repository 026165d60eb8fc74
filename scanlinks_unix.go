//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// fileID is one file, whatever its names.
type fileID struct{ device, inode uint64 }

// identify reports whether a file has several names.
func identify(info fs.FileInfo) (fileID, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, false
	}
	return fileID{uint64(s.Dev), uint64(s.Ino)}, s.Nlink > 1
}
