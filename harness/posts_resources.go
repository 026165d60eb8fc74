package harness

// resources starts the observers of the resource channels.
func (o *opening) resources() {}
