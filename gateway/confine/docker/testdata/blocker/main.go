// Command blocker is the whole of a test image: it says what it is given on
// standard input, and ends with its input.
package main

import (
	"io"
	"os"
)

func main() { _, _ = io.Copy(os.Stdout, os.Stdin) }
