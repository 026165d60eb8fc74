package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"postern/mutants"
)

// piece sets up one thing that a mutant needs beside it, and says how to take
// it away. What was set up in part is taken away by the piece itself.
type piece func(ctx context.Context, t *trial) (takeAway func() error, err error)

// unable means that this machine cannot be furnished so: the mutant is not
// applicable here, for a reason that is a closed word.
type unable struct{ reason string }

func (u *unable) Error() string { return "this machine cannot: " + u.reason }

// furniture lists what the trials can be furnished with, by family.
func furniture() map[mutants.Need]piece {
	all := map[mutants.Need]piece{mutants.NeedSandbox: sandbox}
	for _, family := range []map[mutants.Need]piece{
		netFurniture(), dnsFurniture(), fileFurniture(), imageFurniture(), processFurniture(),
		kernelFurniture(), logFurniture(), resourceFurniture(), requestFurniture(), probeFurniture(),
	} {
		maps.Copy(all, family)
	}
	return all
}

// sandbox is there or is not.
func sandbox(context.Context, *trial) (func() error, error) {
	if !sandboxed() {
		return nil, &unable{reasonNoSandbox}
	}
	return func() error { return nil }, nil
}

// furnish sets up what the trial's mutant needs, and returns how to take all of
// it away again, the last first.
func (t *trial) furnish(ctx context.Context) (takeAway func() error, err error) {
	var undo []func() error
	takeAway = func() error {
		var errs []error
		for i := len(undo) - 1; i >= 0; i-- {
			errs = append(errs, undo[i]())
		}
		return errors.Join(errs...)
	}
	pieces := furniture()
	for _, need := range t.spec.Needs {
		set, ok := pieces[need]
		if !ok {
			return takeAway, fmt.Errorf("furnishing a trial: nobody knows how to set up %q", need)
		}
		back, err := set(ctx, t)
		if err != nil {
			return takeAway, fmt.Errorf("furnishing a trial with %s: %w", need, err)
		}
		undo = append(undo, back)
	}
	return takeAway, nil
}
