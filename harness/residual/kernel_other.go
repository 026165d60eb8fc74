//go:build !linux

package residual

import (
	"context"
	"errors"
)

var errLinux = errors.New("only Linux has this")

func locks(context.Context, Target) (Bits, error)     { return nil, errLinux }
func ports(context.Context, Target) (Bits, error)     { return nil, errLinux }
func kernelLog(context.Context, Target) (Bits, error) { return nil, errLinux }
