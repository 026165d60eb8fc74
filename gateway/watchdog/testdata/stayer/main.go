// Command stayer is the whole of a test image: it ignores being asked to
// stop, has children that do the same, and never ends by itself.
package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	if len(os.Args) == 1 {
		for range 2 {
			_ = exec.Command("/proc/self/exe", "child").Start()
		}
	}
	for {
		time.Sleep(time.Hour)
	}
}
