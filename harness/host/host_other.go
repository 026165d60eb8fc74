//go:build !linux

package host

func kernel() string { return "unknown" }

func cgroupVersion() int { return 0 }
