package harness

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileHandle is the handle of a file as the agent's plan has it, for
// open_by_handle_at(2). An adversary without it would try numbers.
func fileHandle(path string) (string, error) {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return "", fmt.Errorf("taking the handle of a decoy: %w", err)
	}
	return fmt.Sprintf("%d:%x", h.Type(), h.Bytes()), nil
}
