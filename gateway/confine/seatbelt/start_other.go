//go:build !darwin

package seatbelt

import "context"

// Backend makes no sandboxes here.
type Backend struct{}

// Available is for macOS.
func Available(context.Context) (Backend, error) { return Backend{}, &Unable{NotMac} }
