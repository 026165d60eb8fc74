package harness

// processes starts the observers of the process channels.
func (o *opening) processes() {}
