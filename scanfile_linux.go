package main

import (
	"bytes"
	"errors"

	"golang.org/x/sys/unix"
)

// attributesOf returns each extended attribute of a path, its name before its
// value. A file system that has none is no error, and neither is an attribute
// that is gone meanwhile.
func attributesOf(path string) ([][]byte, error) {
	names := make([]byte, attributeLimit)
	n, err := unix.Llistxattr(path, names)
	if errors.Is(err, unix.ENOTSUP) || err == nil && n == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out [][]byte
	var failed error
	value := make([]byte, attributeLimit)
	for name := range bytes.SplitSeq(bytes.TrimRight(names[:n], "\x00"), []byte{0}) {
		n, err := unix.Lgetxattr(path, string(name), value)
		if err != nil && !errors.Is(err, unix.ENODATA) {
			failed = err
		}
		out = append(out, append(append(bytes.Clone(name), '\n'), value[:max(n, 0)]...))
	}
	return out, failed
}

const attributeLimit = 64 << 10 // XATTR_SIZE_MAX and XATTR_LIST_MAX of linux/limits.h
