package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mount is one line of the mount table.
type mount struct{ point, kind string }

// mounts reads /proc/PID/mountinfo, proc(5).
func mounts(table string) ([]mount, error) {
	var all []mount
	for line := range strings.Lines(table) {
		front, back, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(front), strings.Fields(back)
		if !ok || len(left) < 6 || len(right) < 1 {
			return nil, errors.New("reading the mount table: a line is short")
		}
		point, err := unescape(left[4])
		if err != nil {
			return nil, err
		}
		all = append(all, mount{point, right[0]})
	}
	return all, nil
}

// unescape undoes the octal form of space, tab, line feed and backslash.
func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i+4 > len(s) {
			return "", errors.New("reading the mount table: an escape is short")
		}
		n, err := strconv.ParseUint(s[i+1:i+4], 8, 8)
		if err != nil {
			return "", errors.New("reading the mount table: an escape is not octal")
		}
		b.WriteByte(byte(n))
		i += 3
	}
	return b.String(), nil
}

// below are the mount points at or below dir, the last mounted first.
func below(all []mount, dir string) []string {
	var points []string
	for _, m := range slices.Backward(all) {
		if m.point == dir || strings.HasPrefix(m.point, dir+"/") {
			points = append(points, m.point)
		}
	}
	return points
}

func readMounts() ([]mount, error) {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return mounts(string(table))
}

// unmount detaches everything mounted below h, and looks again.
func unmount(h home) error {
	all, err := readMounts()
	if err != nil {
		return err
	}
	for _, point := range below(all, string(h)) {
		err := unix.Unmount(point, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) { // gone with another
			return err
		}
	}
	if all, err = readMounts(); err != nil {
		return err
	}
	if left := below(all, string(h)); len(left) > 0 {
		return fmt.Errorf("%d mounts are left", len(left))
	}
	return nil
}

// cgroups are the control groups of containers and those within, parents
// first, in every hierarchy that is mounted.
func cgroups(ids []string) ([]string, error) {
	all, err := readMounts()
	if err != nil {
		return nil, err
	}
	var groups []string
	for _, m := range all {
		if m.kind != "cgroup" && m.kind != "cgroup2" {
			continue
		}
		for _, id := range ids {
			err := filepath.WalkDir(filepath.Join(m.point, "docker", id), func(path string, entry fs.DirEntry, err error) error {
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				if err == nil && entry.IsDir() {
					groups = append(groups, path)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return groups, nil
}
