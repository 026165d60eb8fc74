package canary_test

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

func utf16Bytes(text string, high, low int) []byte {
	out := make([]byte, 2*len(text))
	for i, u := range utf16.Encode([]rune(text)) {
		out[2*i+high], out[2*i+low] = byte(u>>8), byte(u)
	}
	return out
}

// dresses are written independently of the matcher: whole encodings, with
// what stands before and after encoded along.
func dresses(text string, pad []byte) map[string][]byte {
	raw, _ := hex.DecodeString(text)
	upper := strings.ToUpper(text)
	mixed := []byte(text)
	for i := range mixed {
		if i%2 == 0 {
			mixed[i] = upper[i]
		}
	}
	out := map[string][]byte{
		"lower": []byte(text), "upper": []byte(upper), "mixed": mixed, "raw": raw,
		"hex of lower": []byte(hex.EncodeToString([]byte(text))), "hex of upper": []byte(strings.ToUpper(hex.EncodeToString([]byte(upper)))),
		"utf16le": utf16Bytes(text, 1, 0), "utf16be": utf16Bytes(text, 0, 1), "utf16le upper": utf16Bytes(upper, 1, 0),
		"utf16le in text": utf16Bytes("id="+text+";", 1, 0), "utf16be in text": utf16Bytes("id="+text+";", 0, 1),
	}
	for name, b := range map[string][]byte{"lower": []byte(text), "upper": []byte(upper), "raw": raw} {
		for n := range 3 {
			whole := bytes.Join([][]byte{pad[:n], b, pad[:2]}, nil)
			at := string(rune('0' + n))
			out["base64 of "+name+" at "+at] = []byte(base64.StdEncoding.EncodeToString(whole))
			out["base64url of "+name+" at "+at] = []byte(base64.RawURLEncoding.EncodeToString(whole))
		}
	}
	for n := range 5 {
		whole := bytes.Join([][]byte{pad[:n], raw, pad[:2]}, nil)
		at := string(rune('0' + n))
		out["base32 at "+at] = []byte(base32.StdEncoding.EncodeToString(whole))
		out["base32 in lower case at "+at] = bytes.ToLower([]byte(base32.StdEncoding.EncodeToString(whole)))
	}
	for name, format := range map[string]string{
		"percent": "%%%02X", "entities": "&#%d;", "escapes of JSON": `\u%04x`, "octal": "\\%03o", "binary": "%08b", "quoted-printable": "=%02x",
	} {
		var b []byte
		for _, c := range []byte(text) {
			b = fmt.Appendf(b, format, c)
		}
		out[name] = b
	}
	backwards, complement := []byte(text), bytes.Clone(raw)
	slices.Reverse(backwards)
	for i := range complement {
		complement[i] = ^complement[i]
	}
	packed := make([]byte, ascii85.MaxEncodedLen(len(raw)))
	maps.Copy(out, map[string][]byte{
		"backwards": backwards, "complement": complement, "ascii85": packed[:ascii85.Encode(packed, raw)],
		"base 36": []byte(new(big.Int).SetBytes(raw).Text(36)), "decimals": []byte(strings.Trim(fmt.Sprint(raw), "[]")),
	})
	return out
}

func mint(n int) []canary.Entry {
	key := canary.NewKey()
	all := channel.All()
	var out []canary.Entry
	for i := range n {
		id := all[i%len(all)].ID + channel.ID(strings.Repeat("x", i/len(all)))
		out = append(out, canary.Entry{ID: id, Canary: key.Mint("trial", id)})
	}
	return out
}

func watchFor(t interface{ Fatal(...any) }, entries []canary.Entry) *canary.Watch {
	w, err := canary.NewWatch(entries)
	if err != nil {
		t.Fatal("a good set was refused")
	}
	return w
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestEveryDressAtEveryPlaceIsFoundOnce(t *testing.T) {
	entries := mint(3)
	w := watchFor(t, entries)
	rapid.Check(t, func(rt *rapid.T) {
		e := entries[rapid.IntRange(0, len(entries)-1).Draw(rt, "entry")]
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "noise"), 0))
		before := noise(r, rapid.IntRange(0, 200).Draw(rt, "before"))
		after := noise(r, rapid.IntRange(0, 200).Draw(rt, "after"))
		chunks := rapid.SliceOfN(rapid.IntRange(1, 90), 1, 20).Draw(rt, "chunks")
		for name, dress := range dresses(e.Canary.Reveal(), noise(r, 5)) {
			b := bytes.Join([][]byte{before, dress, after}, nil)
			s := w.Stream()
			for i, at := 0, 0; at < len(b); i++ {
				end := min(len(b), at+chunks[i%len(chunks)])
				s.Write(b[at:end])
				at = end
			}
			if diff := cmp.Diff(map[channel.ID]int{e.ID: 1}, s.Sightings()); diff != "" {
				rt.Fatalf("%s: (-want +got)\n%s", name, diff)
			}
			hits := w.Scan(b)
			first, ok := s.First()
			if len(hits) != 1 || !ok || first != hits[0] || s.Bytes() != int64(len(b)) {
				rt.Fatalf("%s: stream and scan disagree: %d hits", name, len(hits))
			}
			if first.Offset < int64(len(before)) || first.Offset+int64(first.Length) > int64(len(before)+len(dress)) {
				rt.Fatalf("%s: the hit lies outside of what was planted", name)
			}
		}
	})
}

func TestFirstHit(t *testing.T) {
	entries := mint(2)
	w := watchFor(t, entries)
	s := w.Stream()
	s.Write([]byte(strings.Repeat(".", 100) + entries[1].Canary.Reveal() + "." + entries[0].Canary.Reveal()))
	s.Write([]byte(entries[0].Canary.Reveal()))
	want := canary.Hit{ID: entries[1].ID, Offset: 100, Length: 32}
	if got, ok := s.First(); !ok || got != want {
		t.Errorf("first hit %v, want %v", got, want)
	}
	if diff := cmp.Diff(map[channel.ID]int{entries[0].ID: 2, entries[1].ID: 1}, s.Sightings()); diff != "" {
		t.Error(diff)
	}
}

// A place that shows several forms is one sighting, however it is divided.
func TestFormsThatOverlapAreOnePlace(t *testing.T) {
	c, err := canary.Parse(strings.Repeat("ab", canary.Size))
	if err != nil {
		t.Fatal("a canary was refused")
	}
	entry := canary.Entry{ID: channel.NetTCP4, Canary: c}
	w := watchFor(t, []canary.Entry{entry})
	b := []byte(c.Reveal() + "abab" + strings.Repeat(".", 99) + c.Reveal())
	if n := len(w.Scan(b)); n != 2 {
		t.Errorf("%d hits, want 2", n)
	}
	for _, size := range []int{1, 7, 33} {
		s := w.Stream()
		for chunk := range slices.Chunk(b, size) {
			s.Write(chunk)
		}
		if n := s.Sightings()[entry.ID]; n != 2 {
			t.Errorf("in chunks of %d: %d sightings, want 2", size, n)
		}
	}
}

func TestWhatIsNoSighting(t *testing.T) {
	e := mint(1)
	w := watchFor(t, e)
	text := e[0].Canary.Reveal()
	enc := make([]byte, ascii85.MaxEncodedLen(48))
	ascii85.Encode(enc, []byte(base64.StdEncoding.EncodeToString([]byte("xx"+text))))
	folded := []byte(text)
	for i := range folded {
		folded[i] &^= 0x20 // digits become control characters: no case of theirs
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "cut at the start": []byte(text[1:]), "cut at the end": []byte(text[:31]),
		"one digit changed": []byte(text[:16] + "g" + text[17:]), "one encoding in another": enc, "bit 5 cleared": folded,
	} {
		if hits := w.Scan(b); len(hits) != 0 {
			t.Errorf("%s: %d hits", name, len(hits))
		}
	}
}

func TestNoFalsePositiveInNoise(t *testing.T) {
	w := watchFor(t, mint(100))
	s := w.Stream()
	source := rand.NewChaCha8([32]byte{1})
	buf := make([]byte, 1<<20)
	for range 64 {
		source.Read(buf)
		s.Write(buf)
	}
	if n := len(s.Sightings()); n != 0 || s.Bytes() != 64<<20 {
		t.Errorf("%d absent canaries seen in %d bytes", n, s.Bytes())
	}
}

func TestScanAllocatesNothingWithoutHits(t *testing.T) {
	w := watchFor(t, mint(25))
	s := w.Stream()
	b := noise(rand.New(rand.NewPCG(1, 1)), 1500)
	if n := testing.AllocsPerRun(100, func() { w.Scan(b); s.Write(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWatchIsShared(t *testing.T) {
	entries := mint(4)
	w := watchFor(t, entries)
	var wg sync.WaitGroup
	for _, e := range entries {
		wg.Go(func() {
			for range 100 {
				s := w.Stream()
				s.Write([]byte(e.Canary.Reveal()))
				if s.Sightings()[e.ID] != 1 {
					t.Errorf("%s not seen", e.ID)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzStreamAgreesWithIndex(f *testing.F) {
	entries := mint(1)
	w := watchFor(f, entries)
	text := entries[0].Canary.Reveal()
	f.Add([]byte("abc"), []byte{1, 2, 3}, uint16(3))
	f.Add([]byte(strings.Repeat("0", 300)), []byte{0}, uint16(77))
	f.Fuzz(func(t *testing.T, around, cuts []byte, at uint16) {
		k := int(at) % (len(around) + 1)
		b := bytes.Join([][]byte{around[:k], []byte(text), around[k:], []byte(text)}, nil)
		want := 0
		for rest := b; ; want++ {
			i := bytes.Index(rest, []byte(text))
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
		s := w.Stream()
		rest := b
		for i := 0; len(rest) > 0; i++ {
			n := len(rest)
			if len(cuts) > 0 {
				n = min(n, 1+int(cuts[i%len(cuts)]))
			}
			s.Write(rest[:n])
			rest = rest[n:]
		}
		if got := s.Sightings()[entries[0].ID]; got != want || len(w.Scan(b)) != want {
			t.Errorf("stream saw %d, scan %d, index %d", got, len(w.Scan(b)), want)
		}
	})
}
