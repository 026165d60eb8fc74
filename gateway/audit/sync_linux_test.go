package audit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"postern/gateway/audit/audittest"
)

// writeWithoutSync appends while the kernel fails every wait for the disk, and
// ends well where that was noticed.
func writeWithoutSync(path string, w Weakness) error {
	log, err := OpenWeakLog(context.Background(), path, w)
	if err != nil {
		return err
	}
	s := log.Session("s1")
	if err := s.Append(context.Background(), sample(1)); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	if err := audittest.FailSync(); err != nil {
		return err
	}
	if err := s.Append(context.Background(), sample(2)); err == nil {
		return errors.New("a row was released that no disk had")
	}
	if err := s.Append(context.Background(), sample(3)); !errors.Is(err, ErrBroken) {
		return errors.New("the log goes on after a failed wait")
	}
	return nil
}

// A kill loses nothing that the kernel has; a machine that goes dark does. What
// a commit waits for is therefore seen by letting the wait fail.
func TestNoRowIsReleasedThatTheDiskDoesNotHave(t *testing.T) {
	for weak, noticed := range map[string]bool{"": true, "nosync": false} {
		said, err := child("syncless", filepath.Join(t.TempDir(), "audit.db"), weak).CombinedOutput()
		if (err == nil) != noticed {
			t.Errorf("%q: %v, %s", weak, err, said)
		}
	}
}
