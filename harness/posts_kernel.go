package harness

// kernel starts the observers of the kernel channels.
func (o *opening) kernel() {}
