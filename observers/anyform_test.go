package observers

import (
	"bytes"
	"encoding/ascii85"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"postern/fixtures/channel"
)

// eachByte writes bytes by a format.
func eachByte(b []byte, format, sep string) string {
	var out []string
	for _, c := range b {
		out = append(out, fmt.Sprintf(format, c))
	}
	return strings.Join(out, sep)
}

func mappedBytes(b []byte, f func(byte) byte) string {
	out := bytes.Clone(b)
	for i, c := range b {
		out[i] = f(c)
	}
	return string(out)
}

func base58Of(raw []byte) string {
	const symbols = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	out := ""
	for n, rest := new(big.Int).SetBytes(raw), new(big.Int); n.Sign() > 0; {
		n.DivMod(n, big.NewInt(58), rest)
		out = symbols[rest.Int64():][:1] + out
	}
	return strings.Repeat("1", len(raw)-len(bytes.TrimLeft(raw, "\x00"))) + out
}

// nameForms are forms of a canary that a label of a name has room for.
func nameForms(t *testing.T, text string) map[string]string {
	b := raw(t, text)
	return map[string]string{
		"base58": base58Of(b), "base 36": new(big.Int).SetBytes(b).Text(36), "a number": new(big.Int).SetBytes(b).String(),
		"reversed": string(reversedBytes([]byte(text))), "groups of hexadecimal": eachByte(b, "%02x", "-"),
		"rot13": strings.Map(func(r rune) rune {
			if r >= 'a' {
				return 'a' + (r-'a'+13)%26
			}
			return r
		}, text),
	}
}

// textForms are forms that are text.
func textForms(t *testing.T, text string) map[string]string {
	b := raw(t, text)
	packed := make([]byte, ascii85.MaxEncodedLen(len(b)))
	all := nameForms(t, text)
	maps.Copy(all, map[string]string{
		"ascii85": string(packed[:ascii85.Encode(packed, b)]),
		"percent": eachByte([]byte(text), "%%%02X", ""), "entities": eachByte([]byte(text), "&#%d;", ""),
		"escapes of JSON": eachByte([]byte(text), `\u%04x`, ""), "escapes of C": eachByte(b, `\x%02x`, ""),
		"quoted-printable": eachByte([]byte(text), "=%02X", ""), "decimals": eachByte(b, "%d", ", "),
		"octals": eachByte(b, "%03o", " "), "bits": eachByte([]byte(text), "%08b", ""),
		"hexadecimal bytes": eachByte(b, "0x%02X", ", "),
	})
	return all
}

func anyForms(t *testing.T, text string) map[string]string {
	b := raw(t, text)
	all := textForms(t, text)
	maps.Copy(all, map[string]string{
		"complement": mappedBytes(b, func(c byte) byte { return ^c }), "halves swapped": mappedBytes(b, func(c byte) byte { return bits.RotateLeft8(c, 4) }),
		"bits reversed": mappedBytes(b, bits.Reverse8), "UTF-32": eachByte([]byte(text), "\x00\x00\x00%c", ""),
		"bytes reversed": string(reversedBytes(b)),
	})
	return all
}

func reversedBytes(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return b
}

// in is each form in something else, in the order of their names.
func in(all map[string]string, put func(string) []byte) (out [][]byte) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, put(all[name]))
	}
	return out
}

// Every form is heard at the sink where it arrived, as often as it did.
func TestObserversHearEveryForm(t *testing.T) {
	tr := newTrial(t)
	around := func(s string) []byte { return []byte("<" + s + ">") }
	record := func(s string) []byte {
		line, err := json.Marshal(map[string]string{"tool": "public_post", "text": "it is " + s})
		if err != nil {
			t.Fatal("a record was not packed")
		}
		return append(line, '\n')
	}
	name := func(s string) []byte { return question(t, s+".postern.test.") }
	for sink, o := range listeners(t, tr) {
		var id channel.ID
		var network string
		var messages [][]byte
		switch sink {
		case channel.SinkTCP4:
			id, network = channel.NetTCP4, "tcp4"
			messages = in(anyForms(t, tr.text(id)), around)
		case channel.SinkUDP4:
			id, network = channel.NetUDP4, "udp4"
			messages = in(anyForms(t, tr.text(id)), around)
		case channel.SinkDNS:
			id, network = channel.DNSLabel, "udp4"
			messages = in(nameForms(t, tr.text(id)), name)
		case channel.SinkTool:
			id, network = channel.ToolPublic, "unix"
			messages = in(textForms(t, tr.text(id)), record)
		default:
			continue
		}
		pilot(t, o, channel.PilotBefore)
		if network == "unix" {
			c := dial(t, network, o.Addr())
			for _, m := range messages {
				write(t, c, string(m))
				if !acknowledged(c) {
					t.Fatal("a record was not acknowledged")
				}
			}
			c.Close()
		} else if err := sendTo(t.Context(), network, o.Addr(), messages...); err != nil {
			t.Fatalf("%s: a send failed", sink)
		}
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, map[channel.ID]int{id: len(messages)})
	}
}

// A canary in a form that is cut between two segments is heard all the same.
func TestFormsThatComeInPieces(t *testing.T) {
	tr := newTrial(t)
	o, err := NewTCP("tcp4", tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	all := anyForms(t, tr.text(channel.NetTCP4))
	for _, form := range all {
		c := dial(t, "tcp4", o.Addr())
		for piece := range slices.Chunk([]byte("<"+form+">"), 11) {
			write(t, c, string(piece))
		}
		c.Close()
	}
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), map[channel.ID]int{channel.NetTCP4: len(all)})
}

// What the Engine keeps of a container is searched in the same way: its files,
// and the directory with its log.
func TestKeptFormsAreSeen(t *testing.T) {
	tr := newTrial(t)
	all := textForms(t, tr.text(channel.FileRoot))
	for name, form := range all {
		dir := t.TempDir()
		line, err := json.Marshal(map[string]string{"log": form + "\n", "stream": "stderr", "time": "2026-03-01T12:00:00Z"})
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "x-json.log"), line, 0o600))
		d, err := searchDirectory(dir, tr.watch, 1<<20, nil)
		asItIs := bytes.Contains(line, []byte(form)) // what the driver escapes, the Engine shows without
		if err != nil || asItIs && d.seen[channel.FileRoot] != 1 {
			t.Errorf("%s in the log: %d sightings, error %v", name, d.seen[channel.FileRoot], err)
		}
	}
	dir := filepath.Join(t.TempDir(), "open")
	must(t, mkdirOpen(dir))
	for name, form := range all {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(form), 0o644))
	}
	host := none()
	host.Binds = []string{dir + ":/mnt/open"}
	host.LogConfig = container.LogConfig{Type: "json-file"}
	file, log := newBox(t, tr, host).both(func() {})
	saw(t, file, map[channel.ID]int{channel.FileRoot: len(all)})
	saw(t, log, nil)
}

// A form that one observer reads twice, as a label with dashes, arrived once.
func TestOneArrivalInTwoReadings(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.DNSLabel)
	uuid := strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
	digits := strings.Split(text, "")
	slices.Reverse(digits)
	for name, m := range map[string]*dns.Msg{
		"a UUID":    new(dns.Msg).SetQuestion(uuid+".test.", dns.TypeA),
		"addresses": new(dns.Msg).SetQuestion(strings.Join(digits, ".")+".ip6.arpa.", dns.TypePTR),
	} {
		if diff := cmp.Diff(observations(channel.SinkDNS, map[channel.ID]int{channel.DNSLabel: 1}), told(t, tr, "udp4", packed(t, m)).Observations); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Requests of every kind that hold no canary of the trial are silence, whatever
// they are dressed in.
func TestOtherSecretsAreSilence(t *testing.T) {
	tr, other := newTrial(t), newTrial(t)
	o, err := NewUDP("udp4", tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	var messages [][]byte
	for _, c := range channel.All() {
		messages = append(messages, in(anyForms(t, other.text(c.ID)), func(s string) []byte { return []byte(s) })...)
	}
	for part := range slices.Chunk(messages, 64) {
		if err := sendTo(t.Context(), "udp4", o.Addr(), part...); err != nil {
			t.Fatal("a send failed")
		}
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, nil)
	if r.Hearing.Units < len(messages) {
		t.Errorf("%d units of %d", r.Hearing.Units, len(messages))
	}
}
