//go:build !linux && !darwin

package reports

import "errors"

func swap(_, _ string) error { return errors.ErrUnsupported }
