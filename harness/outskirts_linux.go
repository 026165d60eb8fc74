package harness

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"postern/observers"
	"postern/observers/netns"
)

// outskirts are network namespaces of this process: a neighbour, one link away
// from this host; a place that nothing leads to, where the observers of other
// containers listen while there is no other container; and one at whose links
// to bridges pilots are sent, as from a container.
//
// The kernel takes them, and their links with them, when the process ends,
// however it ends; it does so at leisure, and close takes the links at once, for
// others of this process that give theirs the same names.
type outskirts struct {
	once      sync.Once
	failed    error
	neighbour *os.File
	nowhere   *os.File
	wings     *os.File
	plugged   atomic.Int64
	link      string     // this host's end of the link
	ports     sync.Map   // names of this host's ends of those to bridges
	address   netip.Addr // the neighbour's
	aliases   sync.Mutex // held by who changes the link's alias
}

const vethPeer = 1 // VETH_INFO_PEER of linux/veth.h

// ready makes the namespaces the first time.
func (o *outskirts) ready() error {
	o.once.Do(func() { o.failed = o.make() })
	return o.failed
}

func (o *outskirts) make() (err error) {
	loopback := func() error { return bringUp("lo", netip.Prefix{}) }
	if o.nowhere, err = netns.New(loopback); err != nil {
		return err
	}
	if o.neighbour, err = netns.New(loopback); err != nil {
		return err
	}
	if o.wings, err = netns.New(loopback); err != nil {
		return err
	}
	o.link = fmt.Sprintf("pn%d", os.Getpid())
	near, far := addresses(os.Getpid())
	o.address = far.Addr()
	if err := joinBy(o.link, o.neighbour, farLink); err != nil {
		return fmt.Errorf("linking a network namespace: %w", err)
	}
	if err := bringUp(o.link, near); err != nil {
		return fmt.Errorf("linking a network namespace: %w", err)
	}
	if err := netns.Inside(namespacePath(o.neighbour), func() error { return bringUp(farLink, far) }); err != nil {
		return fmt.Errorf("linking a network namespace: %w", err)
	}
	return nil
}

// farLink is the name of the neighbour's end.
const farLink = "eth0"

// addresses are two of the range for benchmarks (RFC 2544), which no network
// uses, that no other process of ours has.
func addresses(pid int) (near, far netip.Prefix) {
	n := pid % (1 << 16) * 2
	at := func(n int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{198, byte(18 + n>>16), byte(n >> 8), byte(n)}), 31)
	}
	return at(n), at(n + 1)
}

// lend gives the neighbour one more address until it is taken away.
func (o *outskirts) lend(own netip.Prefix) (takeAway func() error, err error) {
	change := func(kind uint16) error {
		return netns.Inside(namespacePath(o.neighbour), func() error {
			i, err := net.InterfaceByName(farLink)
			if err != nil {
				return err
			}
			return address(kind, i.Index, own).do()
		})
	}
	if err := change(unix.RTM_NEWADDR); err != nil {
		return nil, fmt.Errorf("giving the neighbour an address: %w", err)
	}
	return func() error { return change(unix.RTM_DELADDR) }, nil
}

// plug gives a bridge of this host's one more port, at which pilots are sent.
// With it the bridge carries, whether a container is on it or not.
func (o *outskirts) plug(bridge string) (port *observers.Port, unplug func() error, err error) {
	name := fmt.Sprintf("pb%d.%d", os.Getpid()%1e7, o.plugged.Add(1)%100)
	if err := joinBy(name, o.wings, name); err != nil {
		return nil, nil, fmt.Errorf("making a port for a bridge: %w", err)
	}
	err = errors.Join(
		enslave(name, bridge),
		bringUp(name, netip.Prefix{}),
		netns.Inside(namespacePath(o.wings), func() error { return bringUp(name, netip.Prefix{}) }),
		forwarding(name),
	)
	if err == nil {
		port, err = observers.OpenPort(namespacePath(o.wings), name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("plugging a port into a bridge: %w", errors.Join(err, unlink(name)))
	}
	o.ports.Store(name, nil)
	return port, func() error {
		o.ports.Delete(name)
		return errors.Join(port.Close(), unlink(name))
	}, nil
}

// namespacePath is where others of this process find a namespace.
func namespacePath(namespace *os.File) string {
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), namespace.Fd())
}

// close takes away the links and lets go of the namespaces.
func (o *outskirts) close() error {
	var errs []error
	takeAway := func(name string) {
		if _, err := net.InterfaceByName(name); err == nil {
			errs = append(errs, unlink(name))
		}
	}
	o.ports.Range(func(name, _ any) bool { takeAway(name.(string)); return true })
	if o.link != "" {
		takeAway(o.link)
	}
	for _, f := range []*os.File{o.neighbour, o.nowhere, o.wings} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
