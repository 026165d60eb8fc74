package observers

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/miekg/dns"

	"postern/fixtures/channel"
	"postern/fixtures/dress"
	"postern/observers/canary"
)

const dnsPilots = 11 // sightings of the pilots of one phase: one a reading, and one over each transport

// Pilot implements Observer: one question over each transport, and then, from
// one socket, the pilot in every reading that the observer has.
func (o *DNS) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, dnsPilots)
	q := new(dns.Msg).SetQuestion(text+".pilot.postern.test.", dns.TypeA)
	b, err := q.Pack()
	if err != nil {
		return errors.New("packing the dns pilot: it makes no question")
	}
	all, err := readablePilots(text)
	if err != nil {
		return err
	}
	if err := sendTo(ctx, "udp4", o.Addr(), b); err != nil {
		return fmt.Errorf("sending the dns pilot over UDP: %w", err)
	}
	if err := sendTo(ctx, "udp4", o.Addr(), all...); err != nil {
		return fmt.Errorf("sending the dns pilot in parts: %w", err)
	}
	framed := append([]byte{byte(len(b) >> 8), byte(len(b))}, b...)
	if err := sendTo(ctx, "tcp4", o.Addr(), framed); err != nil {
		return fmt.Errorf("sending the dns pilot over TCP: %w", err)
	}
	o.book.await(ctx, phase)
	return o.pilotInDress(ctx, phase)
}

// pilotInDress asks for names that hold a pilot among them, from one socket. It
// is heard when the trial is over.
func (o *DNS) pilotInDress(ctx context.Context, phase channel.ID) error {
	if o.pilots.Dressed == nil {
		return nil
	}
	raw, err := o.pilots.Dressed.bytes(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	var all [][]byte
	_, word, _ := strings.Cut(string(phase), ".") // tells the one from the other
	for _, name := range dress.Names(raw, word) {
		all = append(all, packMessage(make([]byte, 2), make([]byte, 2), []byte{0, 1, 0, 0, 0, 0, 0, 0}, name, []byte{0, 1, 0, 1}))
	}
	if err := sendTo(ctx, "udp4", o.Addr(), all...); err != nil {
		return fmt.Errorf("sending the dns pilot in its dress: %w", err)
	}
	return nil
}

// readablePilots are messages that hold a text in their numbers, in the
// addresses whose names they ask for, in parts, and in two names with another
// reading.
func readablePilots(text string) ([][]byte, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != canary.Size {
		return nil, errors.New("packing the dns pilot: it has another length")
	}
	var names []string
	for four := range slices.Chunk(raw, 4) {
		names = append(names, fmt.Sprintf("%d.%d.%d.%d.in-addr.arpa.", four[3], four[2], four[1], four[0]))
	}
	for _, i := range []int{3, 1, 0, 2} {
		names = append(names, fmt.Sprintf("pilot-%d-4.%s.postern.test.", i, text[8*i:8*i+8]))
	}
	var out [][]byte
	for i, name := range names {
		out = append(out, numberedPilot(raw, i, name))
	}
	digits := strings.Split(text, "")
	slices.Reverse(digits)
	for _, name := range []string{strings.Join(digits, ".") + ".ip6.arpa.", text[:20] + "-" + text[20:] + ".postern.test."} {
		out = append(out, packMessage(make([]byte, 2), make([]byte, 2), []byte{0, 1, 0, 0, 0, 0, 0, 0}, name, []byte{0, 1, 0, 1}))
	}
	return out, nil
}

// numberedPilot is the i-th of eight messages all of whose numbers are a text;
// eight bytes of counts say it in the last two.
func numberedPilot(raw []byte, i int, name string) []byte {
	half := raw[2*i : 2*i+2]
	counts := []byte{0, 1, 0, 0, 0, 0, 0, 0}
	if i >= 6 {
		counts = raw[8*(i-6):][:8]
	}
	return packMessage(half, half, counts, name, append(slices.Clone(half), half...))
}

func packMessage(id, flags, counts []byte, name string, end []byte) []byte {
	var wire [nameSize + 1]byte
	n, err := dns.PackDomainName(name, wire[:], 0, nil, false)
	if err != nil {
		n = 0 // then the pilot is not heard
	}
	return slices.Concat(id, flags, counts, wire[:n], end)
}
