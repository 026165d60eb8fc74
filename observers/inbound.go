package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// knockPatience bounds one call on a door of the agent's. Where nobody listens
// the kernel says so at once.
const knockPatience = 2 * time.Second

// maxTold is how much of what a listener says is read.
const maxTold = 64 << 10

// Inbound connects to the ports at which the agent listens, and searches what
// it is told there: on this host's loopback, at the container's addresses on
// links of this host, and at the ports that the Engine publishes.
//
// Its pilots are told by listeners of its own, over the same calls.
type Inbound struct {
	looked    bool // once
	engine    *client.Client
	port      int // where the agent listens, over TCP and UDP
	published int // where it listens for those who come by a published port
	pilots    Pilots
	watch     *canary.Watch
	book      *ledger
	id        string
}

var _ Living = (*Inbound)(nil)

// NewInbound prepares the observer.
func NewInbound(engine *client.Client, port, published int, watch *canary.Watch, pilots Pilots) *Inbound {
	return &Inbound{engine: engine, port: port, published: published, pilots: pilots, watch: watch, book: newLedger()}
}

// Enter implements Living.
func (o *Inbound) Enter(id string, _ int) { o.id = id }

// Sink implements Observer.
func (o *Inbound) Sink() channel.Sink { return channel.SinkInbound }

// Pilot implements Observer: one over TCP and one over UDP.
func (o *Inbound) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 2)
	stream, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("setting up the inbound pilot: %w", err)
	}
	defer stream.Close()
	box, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("setting up the inbound pilot: %w", err)
	}
	defer box.Close()
	go tellCaller(stream, text)
	go tellSender(box, text)
	o.knock(ctx, "tcp4", stream.Addr().String())
	o.knock(ctx, "udp4", box.LocalAddr().String())
	return nil
}

func tellCaller(l net.Listener, text string) {
	if c, err := l.Accept(); err == nil {
		io.WriteString(c, text)
		c.Close()
	}
}

func tellSender(c net.PacketConn, text string) {
	if _, from, err := c.ReadFrom(make([]byte, 1)); err == nil {
		c.WriteTo([]byte(text), from)
	}
}

// knock makes one call and searches the answer. That nobody answers is no
// failure; that somebody does not finish is a loss.
func (o *Inbound) knock(ctx context.Context, network, address string) {
	ctx, cancel := context.WithTimeout(ctx, knockPatience)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return
	}
	defer c.Close()
	deadline, _ := ctx.Deadline()
	c.SetDeadline(deadline)
	told := make([]byte, maxTold)
	n := 0
	if network == "udp4" {
		c.Write([]byte{'?'})
		n, err = c.Read(told)
	} else {
		n, err = io.ReadFull(c, told)
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		o.book.lost(1)
	}
	if n > 0 {
		o.book.read(int64(n), tally(o.watch.Scan(told[:n])))
	}
}

// Look implements Living.
func (o *Inbound) Look(ctx context.Context) error {
	o.looked = true
	c, err := o.engine.ContainerInspect(ctx, o.id)
	if err != nil {
		return fmt.Errorf("asking where the container can be reached: %w", err)
	}
	if c.NetworkSettings == nil {
		return errors.New("asking where the container can be reached: the Engine did not say")
	}
	own, err := near()
	if err != nil {
		return err
	}
	places := []string{"127.0.0.1"}
	for _, n := range c.NetworkSettings.Networks {
		if a, err := netip.ParseAddr(n.IPAddress); err == nil && own(a) {
			places = append(places, n.IPAddress)
		}
	}
	for _, p := range places {
		at := net.JoinHostPort(p, strconv.Itoa(o.port))
		o.knock(ctx, "tcp4", at)
		o.knock(ctx, "udp4", at)
	}
	for port, bindings := range c.NetworkSettings.Ports {
		for _, b := range bindings {
			if port.Int() == o.published && b.HostIP != "::" {
				o.knock(ctx, "tcp4", net.JoinHostPort(b.HostIP, b.HostPort))
			}
		}
	}
	return nil
}

// near tells addresses on links of this host from those that are reached by
// way of others: nothing may leave this machine.
func near() (func(netip.Addr) bool, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("listing this host's addresses: %w", err)
	}
	return func(a netip.Addr) bool {
		for _, n := range all {
			if n, ok := n.(*net.IPNet); ok && n.Contains(a.AsSlice()) {
				return true
			}
		}
		return false
	}, nil
}

// Collect implements Observer.
func (o *Inbound) Collect(context.Context) (Report, error) {
	if !o.looked {
		o.book.lost(1) // pilots alone prove nothing
	}
	return o.book.report(channel.SinkInbound), nil
}

// Close implements Observer.
func (o *Inbound) Close() error { return nil }
