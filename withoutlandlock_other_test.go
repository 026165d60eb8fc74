//go:build !linux

package main

import "os"

func withoutLandlock() { os.Exit(1) }
