package harness

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// joinBy makes a pair of links, one here and one in a namespace.
func joinBy(name string, there *os.File, farName string) error {
	far := linkHeader(0, 0)
	far = append(far, attribute(unix.IFLA_IFNAME, append([]byte(farName), 0))...)
	far = append(far, attribute(unix.IFLA_NET_NS_FD, binary.NativeEndian.AppendUint32(nil, uint32(there.Fd())))...)
	kind := attribute(unix.IFLA_INFO_KIND, []byte("veth"))
	data := attribute(unix.IFLA_INFO_DATA, attribute(vethPeer, far))
	r := link(unix.RTM_NEWLINK, unix.NLM_F_CREATE|unix.NLM_F_EXCL, 0, 0)
	r.add(unix.IFLA_IFNAME, append([]byte(name), 0))
	r.add(unix.IFLA_LINKINFO, append(kind, data...))
	return r.do()
}

// bringUp starts a link, and gives it an address, if there is one.
func bringUp(name string, own netip.Prefix) error {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return err
	}
	if own.IsValid() {
		if err := address(unix.RTM_NEWADDR, i.Index, own).do(); err != nil {
			return fmt.Errorf("giving a link its address: %w", err)
		}
	}
	if err := link(unix.RTM_NEWLINK, 0, i.Index, unix.IFF_UP).do(); err != nil {
		return fmt.Errorf("starting a link: %w", err)
	}
	return nil
}

// forwarding waits until a port forwards frames, which takes the kernel some
// milliseconds once both of its ends are up.
func forwarding(name string) error {
	for range 1000 {
		state, err := os.ReadFile("/sys/class/net/" + name + "/brport/state")
		if err != nil {
			return fmt.Errorf("reading the state of a port: %w", err)
		}
		if string(state) == "3\n" { // BR_STATE_FORWARDING
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("a port does not forward")
}

func enslave(name, bridge string) error {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return err
	}
	to, err := net.InterfaceByName(bridge)
	if err != nil {
		return err
	}
	r := link(unix.RTM_NEWLINK, 0, i.Index, 0)
	r.add(unix.IFLA_MASTER, binary.NativeEndian.AppendUint32(nil, uint32(to.Index)))
	return r.do()
}

func unlink(name string) error {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return err
	}
	return link(unix.RTM_DELLINK, 0, i.Index, 0).do()
}
