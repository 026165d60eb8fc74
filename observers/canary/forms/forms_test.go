package forms_test

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/big"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"postern/observers/canary/forms"
	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// dress is one encoding as others write it: of the text in either case or of
// the bytes, with whatever else is encoded along.
type dress struct {
	technique layer.Technique
	encode    func(b []byte) []byte
	pads      int  // how many bytes may stand before
	rawOnly   bool // of the bytes that the text spells
	textOnly  bool
	asItIs    bool // not of the text in the other case
}

func text(f func([]byte) string) func([]byte) []byte {
	return func(b []byte) []byte { return []byte(f(b)) }
}

// each writes every byte by a format.
func each(format, sep string) func([]byte) []byte {
	return text(func(b []byte) string {
		var out []string
		for _, c := range b {
			out = append(out, fmt.Sprintf(format, c))
		}
		return strings.Join(out, sep)
	})
}

func upperOf(f func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ToUpper(f(b)) }
}

func charset(e encoding.Encoding) func([]byte) []byte {
	return func(b []byte) []byte {
		out, err := e.NewEncoder().Bytes(b)
		if err != nil {
			panic("a text was not taken")
		}
		return out
	}
}

func based64(symbols string) func([]byte) []byte {
	return text(base64.NewEncoding(symbols).EncodeToString)
}
func based32(symbols string) func([]byte) []byte {
	return text(base32.NewEncoding(symbols).WithPadding(base32.NoPadding).EncodeToString)
}

func inBase(base int) func([]byte) []byte {
	return text(func(b []byte) string { return new(big.Int).SetBytes(b).Text(base) })
}

func uuencoded(b []byte) []byte {
	out := base64.NewEncoding("`!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_").EncodeToString(b)
	return []byte(string(rune(' '+len(b))) + out + "\n")
}

func ascii85Of(b []byte) []byte {
	out := make([]byte, ascii85.MaxEncodedLen(len(b)))
	return out[:ascii85.Encode(out, b)]
}

// z85 maps what ascii85 writes: the numbers are the same.
func z85(b []byte) []byte {
	const symbols = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	out := ascii85Of(b)
	for i, c := range out {
		out[i] = symbols[c-'!']
	}
	return out
}

func quoted(b []byte) []byte {
	var out bytes.Buffer
	w := quotedprintable.NewWriter(&out)
	w.Binary = true
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func jsonOf(b []byte) []byte {
	var out []rune
	for _, c := range b {
		out = append(out, rune(c))
	}
	quoted := strconv.QuoteToASCII(string(out))
	var back string
	if json.Unmarshal([]byte(strings.NewReplacer(`\x`, `\u00`, `\a`, `\u0007`, `\v`, `\u000b`).Replace(quoted)), &back) != nil || back != string(out) {
		panic("the test's own text is no JSON")
	}
	return []byte(quoted[1 : len(quoted)-1])
}

func reverse(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return b
}

func words16(b []byte) []byte {
	var out []byte
	for ; len(b) >= 2; b = b[2:] {
		out = binary.LittleEndian.AppendUint16(out, binary.BigEndian.Uint16(b))
	}
	return out
}

const (
	az = "abcdefghijklmnopqrstuvwxyz"
	AZ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func dresses() []dress {
	all := []dress{
		{technique: "literal", encode: bytes.Clone, textOnly: true},
		{technique: "raw", encode: bytes.Clone, rawOnly: true},
		{technique: "raw-reversed", encode: reverse, rawOnly: true},
		{technique: "swapped-words", encode: words16, rawOnly: true},
		{technique: "reversed", encode: reverse, textOnly: true},
		{technique: "utf-16", encode: charset(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)), textOnly: true},
		{technique: "utf-16", encode: charset(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)), textOnly: true},
		{technique: "utf-32", encode: charset(utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)), textOnly: true},
		{technique: "utf-32", encode: charset(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)), textOnly: true},
		{technique: "ebcdic", encode: charset(charmap.CodePage037), textOnly: true},
		{technique: "ebcdic", encode: charset(charmap.CodePage1047), textOnly: true},
		{technique: "base64", encode: text(base64.StdEncoding.EncodeToString), pads: 7},
		{technique: "base64url", encode: text(base64.RawURLEncoding.EncodeToString), pads: 7},
		{technique: "base64-crypt", encode: based64("./0123456789" + AZ + az), pads: 3, asItIs: true},
		{technique: "base64-bcrypt", encode: based64("./" + AZ + az + "0123456789"), pads: 3, asItIs: true},
		{technique: "xxencode", encode: based64("+-0123456789" + AZ + az), pads: 3, asItIs: true},
		{technique: "base64", encode: func(b []byte) []byte {
			wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().Bytes(b)
			return []byte(base64.StdEncoding.EncodeToString(wide))
		}, pads: 3, textOnly: true},
		{technique: "uuencode", encode: uuencoded, pads: 3},
		{technique: "base32", encode: text(base32.StdEncoding.EncodeToString), pads: 5},
		{technique: "base32", encode: based32(az + "234567"), pads: 5},
		{technique: "base32hex", encode: text(base32.HexEncoding.EncodeToString), pads: 5},
		{technique: "crockford", encode: based32("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), pads: 5, asItIs: true},
		{technique: "z-base-32", encode: based32("ybndrfg8ejkmcpqxot1uwisza345h769"), pads: 5, asItIs: true},
		{technique: "bech32", encode: based32("qpzry9x8gf2tvdw0s3jn54khce6mua7l"), pads: 5, asItIs: true},
		{technique: "base36", encode: inBase(36), asItIs: true},
		{technique: "base36", encode: upperOf(inBase(36)), asItIs: true},
		{technique: "base62", encode: inBase(62), asItIs: true},
		{technique: "decimal-number", encode: inBase(10), asItIs: true},
		{technique: "number-in-a-base", encode: inBase(7), rawOnly: true},
		{technique: "ascii85", encode: ascii85Of, pads: 4, asItIs: true},
		{technique: "z85", encode: z85, pads: 4, asItIs: true},
		{technique: "percent", encode: each("%%%02X", ""), pads: 1},
		{technique: "percent", encode: text(func(b []byte) string { return url.QueryEscape(string(b)) }), rawOnly: true},
		{technique: "percent", encode: text(func(b []byte) string { return url.PathEscape(string(b)) }), rawOnly: true},
		{technique: "quoted-printable", encode: each("=%02X", "")},
		{technique: "quoted-printable", encode: quoted, rawOnly: true},
		{technique: "unicode-escape", encode: jsonOf, rawOnly: true},
		{technique: "unicode-escape", encode: text(func(b []byte) string {
			var out strings.Builder
			for _, u := range utf16.Encode([]rune(string(b))) {
				fmt.Fprintf(&out, `\u%04x`, u)
			}
			return out.String()
		}), textOnly: true},
		{technique: "html-entity", encode: checked(each("&#%d;", ""), html.UnescapeString), textOnly: true, pads: 1},
		{technique: "html-entity", encode: checked(each("&#x%x;", ""), html.UnescapeString), textOnly: true, pads: 1},
		{technique: "html-entity", encode: checked(each("&#X%X;", ""), html.UnescapeString), textOnly: true},
		{technique: "hex-escape", encode: checked(each(`\x%02x`, ""), unquoted)},
		{technique: "octal-escape", encode: checked(each(`\%03o`, ""), unquoted)},
		{technique: "hex", encode: text(hex.EncodeToString), textOnly: true, pads: 2},
		{technique: "binary", encode: each("%08b", ""), pads: 2},
		{technique: "binary", encode: each("%08b", " "), pads: 2},
		{technique: "octal", encode: each("%03o", " "), pads: 2},
		{technique: "octal", encode: each("%#o", ", "), pads: 2},
		{technique: "decimal", encode: text(func(b []byte) string { return strings.Trim(fmt.Sprint(b), "[]") }), pads: 2},
		{technique: "decimal", encode: text(func(b []byte) string { return strings.Trim(fmt.Sprintf("%d", b), "[]") }), pads: 2},
		{technique: "complement", encode: func(b []byte) []byte {
			n := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))), big.NewInt(1))
			return n.Sub(n, new(big.Int).SetBytes(b)).Bytes()
		}, asItIs: true},
		{technique: "ipv6", encode: text(func(b []byte) string { return netip.AddrFrom16([16]byte(b)).String() }), rawOnly: true},
		{technique: "hex-words", encode: text(func(b []byte) string { return netip.AddrFrom16([16]byte(b)).StringExpanded() }), rawOnly: true},
		{technique: "uuid", encode: text(func(b []byte) string { return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]) }), rawOnly: true},
	}
	for _, sep := range []string{" ", ":", "-", ".", ",", ", ", "_", "\n"} {
		all = append(all, dress{technique: "hex", encode: each("%02x", sep), pads: 2}, dress{technique: "hex", encode: each("%02X", sep), pads: 2})
	}
	for _, sep := range []string{"", " ", ",", ", "} {
		all = append(all, dress{technique: "hex", encode: each("0x%02x", sep), pads: 2}, dress{technique: "hex", encode: each("0X%02X", sep)})
	}
	return all
}

// twins write much alike: where the few symbols in which they differ do not
// occur, one stands for both.
var twins = map[layer.Technique]layer.Technique{"base64url": "base64", "xxencode": "base64-crypt", "hex-words": "ipv6"}

// checked lets another decoder read what the test wrote.
func checked(encode func([]byte) []byte, decode func(string) string) func([]byte) []byte {
	return func(b []byte) []byte {
		out := encode(b)
		if decode(string(out)) != string(b) {
			panic("the test's own encoder is wrong")
		}
		return out
	}
}

func unquoted(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		panic("the test's own text is not quoted")
	}
	return out
}

func secretOf(r *rand.Rand, prefix string) secret.Secret {
	raw := noise(r, 16)
	return secret.New([]byte(prefix+hex.EncodeToString(raw)), raw)
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func matcher(t testing.TB, secrets ...secret.Secret) *forms.Matcher {
	t.Helper()
	m, err := forms.New(secrets)
	if err != nil {
		t.Fatal("good secrets were refused")
	}
	return m
}

func matches(m *forms.Matcher, b []byte) []layer.Match {
	var out []layer.Match
	m.Finder().Find(b, func(h layer.Match) bool { out = append(out, h); return true })
	return out
}

// inputs are what the encoder of a dress may have been given.
func (d dress) inputs(s secret.Secret) [][]byte {
	lower := []byte(hex.EncodeToString(s.Raw()))
	switch {
	case d.rawOnly:
		return [][]byte{s.Raw()}
	case d.textOnly && d.asItIs:
		return [][]byte{lower}
	case d.textOnly:
		return [][]byte{lower, bytes.ToUpper(lower)}
	case d.asItIs:
		return [][]byte{lower, s.Raw()}
	}
	return [][]byte{lower, bytes.ToUpper(lower), s.Raw()}
}

func TestEveryDressIsFoundOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var secrets []secret.Secret
	for _, prefix := range []string{"", "", "canary-"} {
		secrets = append(secrets, secretOf(r, prefix))
	}
	m := matcher(t, secrets...)
	for _, d := range dresses() {
		for i, s := range secrets {
			for _, in := range d.inputs(s) {
				for pad := range max(1, d.pads) {
					whole := d.encode(bytes.Join([][]byte{[]byte("seventy")[:pad], in, []byte("after")[:min(pad, 5)]}, nil))
					if pad == 0 && d.pads > 0 {
						whole = d.encode(in)
					}
					at := r.IntN(40)
					got := matches(m, slices.Concat(noise(r, at), whole, noise(r, r.IntN(40))))
					if len(got) != 1 || got[0].Secret != i || got[0].Bits < 96 || got[0].Bits > 128 || got[0].Offset < at {
						t.Errorf("%s of %d bytes after %d: %d matches, or of another secret or place", d.technique, len(in), pad, len(got))
					} else if got[0].Technique != d.technique && got[0].Technique != twins[d.technique] {
						t.Errorf("%s was taken for %s", d.technique, got[0].Technique)
					}
				}
			}
		}
	}
}

// A secret of more than ASCII is found in the character sets that have it, as
// characters, and not only as the bytes of its UTF-8.
func TestCharactersOfMoreThanASCII(t *testing.T) {
	const text = "grüße-an-alle-überall"
	m, err := forms.New([]secret.Secret{secret.New([]byte(text), nil)})
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]encoding.Encoding{
		"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
		"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf-32be": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
		"latin-1": charmap.ISO8859_1, "latin-9": charmap.ISO8859_15, "cp1252": charmap.Windows1252, "cp437": charmap.CodePage437, "mac": charmap.Macintosh,
	} {
		in, err := set.NewEncoder().Bytes([]byte("what is before, " + text + ", and behind"))
		if err != nil {
			t.Fatal(err)
		}
		if hits := m.Find(nil, in); len(hits) == 0 {
			t.Errorf("%s: nothing", name)
		}
	}
}
