//go:build !linux

package observers

type linkTap struct{}

func openTap(string) (*linkTap, error)    { return nil, errOnlyLinux }
func (*linkTap) Read([]byte) (int, error) { return 0, errOnlyLinux }
func (*linkTap) lost() (int, error)       { return 0, errOnlyLinux }
func (*linkTap) close()                   {}

// Port is where pilots are sent to a link.
type Port struct{}

// OpenPort fails.
func OpenPort(string, string) (*Port, error) { return nil, errOnlyLinux }

func (*Port) send([]byte) error { return errOnlyLinux }

// Close does nothing.
func (*Port) Close() error { return nil }
