package observers

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// raw is a canary's bytes.
func raw(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != canary.Size {
		t.Fatal("a canary has another length")
	}
	return b
}

// told sends messages from one socket, between pilots, and returns what was
// seen.
func told(t *testing.T, tr *trial, network string, messages ...[]byte) Report {
	t.Helper()
	o := newDNS(t, tr)
	pilot(t, o, channel.PilotBefore)
	if err := sendTo(t.Context(), network, o.Addr(), messages...); err != nil {
		t.Fatal("a send failed")
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	return r
}

func TestDNSPutsTogetherWhatSeveralMessagesSay(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.DNSShuffled)
	ask := func(name string) []byte { return question(t, name) }
	part := func(i, of int, word, text string) []byte {
		return ask(fmt.Sprintf("%s-%d-%d.%s.test.", word, i, of, text))
	}
	digits := strings.Split(text, "")
	slices.Reverse(digits)
	var addresses [][]byte
	for b := range slices.Chunk(raw(t, text), 4) {
		addresses = append(addresses, ask(fmt.Sprintf("%d.%d.%d.%d.in-addr.arpa.", b[3], b[2], b[1], b[0])))
	}
	one := map[channel.ID]int{channel.DNSShuffled: 1}
	tests := map[string]struct {
		messages [][]byte
		want     map[channel.ID]int
	}{
		"dashes":                       {[][]byte{ask(text[:8] + "-" + text[8:20] + "--" + text[20:] + ".test.")}, one},
		"dashes and labels":            {[][]byte{ask(text[:8] + "-" + text[8:20] + ".a-" + text[20:] + ".test.")}, nil},
		"an address of IPv6":           {[][]byte{ask(strings.Join(digits, ".") + ".ip6.arpa.")}, one},
		"an address in capitals":       {[][]byte{ask(strings.ToUpper(strings.Join(digits, ".")) + ".IP6.ARPA.")}, one},
		"an address of another zone":   {[][]byte{ask(strings.Join(digits, ".") + ".ip7.arpa.")}, one}, // as digits backwards
		"digits from the second on":    {[][]byte{ask(strings.Join(slices.Concat(digits[1:], digits[:1]), ".") + ".ip6.arpa.")}, nil},
		"addresses of IPv4":            {addresses, one},
		"addresses in another order":   {[][]byte{addresses[1], addresses[0], addresses[2], addresses[3]}, nil},
		"parts in order":               {[][]byte{part(0, 2, "w", text[:16]), part(1, 2, "w", text[16:])}, one},
		"parts out of order":           {[][]byte{part(1, 2, "w", text[16:]), part(0, 2, "w", text[:16])}, one},
		"parts of two words":           {[][]byte{part(0, 2, "w", text[:16]), part(1, 2, "v", text[16:])}, nil},
		"a part that is not there":     {[][]byte{part(0, 3, "w", text[:16]), part(1, 3, "w", text[16:])}, nil},
		"a part beyond the last":       {[][]byte{part(0, 2, "w", text[:16]), part(2, 2, "w", text[16:])}, nil},
		"a part twice, and then whole": {[][]byte{part(0, 2, "w", "x"), part(0, 2, "w", text[:16]), part(1, 2, "w", text[16:])}, one},
		"the same text in two words": {[][]byte{
			part(0, 2, "w", text[:16]), part(0, 2, "v", text[:16]), part(1, 2, "w", text[16:]), part(1, 2, "v", text[16:]),
		}, map[channel.ID]int{channel.DNSShuffled: 2}},
	}
	for name, tt := range tests {
		for _, network := range []string{"udp4", "tcp4"} {
			messages := tt.messages
			if network == "tcp4" {
				messages = nil
				for _, m := range tt.messages {
					messages = append(messages, framed(m))
				}
			}
			r := told(t, tr, network, messages...)
			if diff := cmp.Diff(observations(channel.SinkDNS, tt.want), r.Observations); diff != "" {
				t.Errorf("%s over %s: (-want +got)\n%s", name, network, diff)
			}
		}
	}
}

func TestDNSReadsNumbersInTheirOrder(t *testing.T) {
	tr := newTrial(t)
	b := raw(t, tr.text(channel.DNSNumberID))
	fields := map[string]func(half []byte) []byte{
		"id":    func(h []byte) []byte { return packMessage(h, []byte{1, 0}, oneQuestion, "test.", []byte{0, 1, 0, 1}) },
		"flags": func(h []byte) []byte { return packMessage([]byte{0, 1}, h, oneQuestion, "test.", []byte{0, 1, 0, 1}) },
		"type": func(h []byte) []byte {
			return packMessage([]byte{0, 1}, []byte{1, 0}, oneQuestion, "test.", append(slices.Clone(h), 0, 1))
		},
		"class": func(h []byte) []byte {
			return packMessage([]byte{0, 1}, []byte{1, 0}, oneQuestion, "test.", append([]byte{0, 1}, h...))
		},
	}
	for name, field := range fields {
		var messages [][]byte
		for half := range slices.Chunk(b, 2) {
			messages = append(messages, field(half))
		}
		saw(t, told(t, tr, "udp4", messages...), map[channel.ID]int{channel.DNSNumberID: 1})
		if r := told(t, tr, "udp4", slices.Concat(messages[1:], messages[:1])...); len(r.Observations) != 0 {
			t.Errorf("%s: read from the second on", name)
		}
		if r := told(t, tr, "udp4", messages[:7]...); len(r.Observations) != 0 {
			t.Errorf("%s: seven eighths were seen", name)
		}
	}
	counts := func(b []byte) []byte { return packMessage([]byte{0, 1}, []byte{1, 0}, b, "test.", []byte{0, 1, 0, 1}) }
	saw(t, told(t, tr, "udp4", counts(b[:8]), counts(b[8:])), map[channel.ID]int{channel.DNSNumberID: 1})
}

var oneQuestion = []byte{0, 1, 0, 0, 0, 0, 0, 0}

// Numbers of two senders are two rows.
func TestDNSKeepsSendersApart(t *testing.T) {
	tr := newTrial(t)
	o := newDNS(t, tr)
	pilot(t, o, channel.PilotBefore)
	for half := range slices.Chunk(raw(t, tr.text(channel.DNSNumberID)), 2) {
		if err := sendTo(t.Context(), "udp4", o.Addr(), packMessage(half, []byte{1, 0}, oneQuestion, "test.", []byte{0, 1, 0, 1})); err != nil {
			t.Fatal("a send failed")
		}
	}
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), nil)
}

// An observer that can remember no more senders, or words, says so.
func TestDNSCountsWhatItCannotRemember(t *testing.T) {
	tr := newTrial(t)
	o := newDNS(t, tr)
	at := func(n int) sender {
		return sender{"udp", netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(n))}
	}
	for n := range maxFlows {
		o.readings(at(n), question(t, fmt.Sprintf("w%d-0-2.text.test.", n)))
	}
	if drops := o.book.report(channel.SinkDNS).Hearing.Drops; drops != 0 {
		t.Fatalf("%d drops too early", drops)
	}
	o.readings(at(maxFlows), question(t, "test."))
	o.readings(at(0), question(t, "one-0-2.text.test."))
	if drops := o.book.report(channel.SinkDNS).Hearing.Drops; drops != 2 {
		t.Errorf("%d drops, want 2", drops)
	}
}

// Whatever a sender says, the observer reads on, and a canary in a later
// message of a sender is read all the same.
func FuzzReadings(f *testing.F) {
	tr := newTrial(&testing.T{})
	text := tr.text(channel.DNSLabel)
	pilots, err := readablePilots(text)
	if err != nil {
		f.Fatal("the pilots were not packed")
	}
	for _, m := range append(pilots, nil, []byte("\x00"), []byte(strings.Repeat("\xc0\x0c", 40))) {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, m []byte) {
		o := &DNS{watch: tr.watch, book: newLedger(), senders: newFlows[sender, numbers](), words: newFlows[string, parts]()}
		o.readings(sender{}, m)
		var seen int
		for _, p := range pilots {
			seen += o.readings(sender{}, p)[channel.DNSLabel]
		}
		const want = dnsPilots - 3 // all but those of the transports; and m may be a part of the same word
		if seen < want {
			t.Errorf("%d readings after it, want %d", seen, want)
		}
	})
}

func TestPilotsAreMessages(t *testing.T) {
	all, err := readablePilots(newTrial(t).text(channel.PilotBefore))
	if err != nil || len(all) != dnsUnits-2 {
		t.Fatalf("%d pilots", len(all))
	}
	for i, m := range all {
		if _, _, err := dns.UnpackDomainName(m, headerSize); err != nil {
			t.Errorf("pilot %d has no name", i)
		}
	}
	if _, err := readablePilots("0011"); err == nil {
		t.Error("half a pilot was packed")
	}
}
