//go:build !linux

package harness

// processes starts no observers: those of the process channels know Linux alone.
func (o *opening) processes() {}
