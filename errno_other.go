//go:build !linux

package main

// errnoName names nothing: here the numbers mean something else than where the
// agent ran.
func errnoName(int) string { return "?" }
