//go:build !linux

package observers

// SweepIPC has nothing to do: trials leave no such objects here.
func SweepIPC(func(uid int) bool) error { return nil }
