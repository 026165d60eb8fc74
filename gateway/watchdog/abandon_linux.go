package watchdog

// Abandon leaves the container to the program: for a session that could not
// stop it, because its Engine does not answer. The container's first process is
// struck from here, and the closed pipe makes the program strike it too and
// then try the Engine as often as it may, on its own and after this process.
func (l *Lease) Abandon() {
	l.beats.Close() // the next heartbeat fails, and with it the lease
	<-l.lost
	<-l.done
	l.release()
}
