package tree

import (
	"fmt"
	"os"

	"postern/gateway/guard"
)

// Of makes a profile's scratch and says how its tree is built for a server, whose
// program is an absolute path; "" needs nothing of the tree. With sockets, those
// at which programs listen are left out.
func Of(p guard.Profile, program string, sockets bool) ([]Step, Why, error) {
	if os.MkdirAll(p.Scratch, 0o700) != nil {
		return nil, ScratchMissing, nil
	}
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, "", fmt.Errorf("looking at what is mounted: %w", err)
	}
	var listening []byte
	if sockets {
		if listening, err = os.ReadFile("/proc/self/net/unix"); err != nil {
			return nil, "", fmt.Errorf("looking at who listens: %w", err)
		}
	}
	d := disk{scratch: p.Scratch, temp: os.TempDir()}
	root, why := rules(p, program, d, string(mountinfo), string(listening))
	if why != "" {
		return nil, why, nil
	}
	steps, why := plan(root, d)
	return steps, why, nil
}

// Base is where the tree of a server with this scratch is put together, for each
// in mounts of its own.
func Base(scratch string) string { return disk{scratch: scratch}.base() }
