// Command quiet is the whole of a test image: an agent that takes its initial
// frame, asks for nothing, and ends.
package main

import (
	"bufio"
	"os"
)

func main() { _, _ = bufio.NewReader(os.Stdin).ReadString('\n') }
