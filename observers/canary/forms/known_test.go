package forms_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// TestKnownAnswers has what standards and other programs print, for encodings
// that the standard library does not have.
func TestKnownAnswers(t *testing.T) {
	hexed := func(s string) string { b, _ := hex.DecodeString(s); return string(b) }
	for _, c := range []struct {
		technique layer.Technique
		text, as  string
	}{
		{"base58", "Hello World!", "2NEpo7TZRRrLZSi2U"}, // draft-msporny-base58
		{"base58", "The quick brown fox jumps over the lazy dog.", "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z"},
		{"base58check", "f54a5851e9372b87810a8e60cdd2e7cfd80b6e31", "1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs"}, // a Bitcoin address
		{"base45", "base-45!", "UJCLQE7W5BW6"},                                 // RFC 9285 has the first nine
		{"base85", "108000000000000000080800200c417a", "4)+k&C#VzJ4br>0wv%Yp"}, // RFC 1924
		{"z85", "864fd26fb559f75b864fd26fb559f75b", "HelloWorldHelloWorld"},    // ZeroMQ RFC 32, twice
		{"gsm-7bit", "hellohello", hexed("e8329bfd4697d9ec37")},                // 3GPP TS 23.038
		{"guid", "00112233445566778899aabbccddeeff", hexed("33221100554477668899aabbccddeeff")},
		{"uuid", "00112233445566778899aabbccddeeff", "{33221100-5544-7766-8899-AABBCCDDEEFF}"},
		{"ipv6", "20010db8000000000000ff0000428329", "2001:db8::ff00:42:8329"},          // RFC 5952
		{"crockford", "0123456789abcdef0123456789abcdef", "014D2PF2DBSQQG28T5CY4TQKFF"}, // a ULID
		{"rot13", "canary-of-mine", "pnanel-bs-zvar"},
		{"rot18", "canary-0123", "pnanel-5678"},
		{"rot47", "canary-0123", "42?2CJ\\_`ab"},
		{"atbash", "canary-0123", "xzmzib-0123"},
		{"reversed", "canary-0123", "3210-YRANAC"},
		{"morse", "deadbeef", "-.. . .- -.. -... . . ..-."},
		{"nato", "deadbeef09", "Delta Echo Alpha Delta Bravo Echo Echo Foxtrot Zero Niner"},
		{"nato", "deadbeef09", "delta-echo-alfa-delta-bravo-echo-echo-foxtrot-zero-nine"},
		{"digit-names", "deadbeef09", "d e a d b e e f zero nine"},
		{"bit-reversed", "0123456789abcdef0123456789abcdef", hexed("80c4a2e691d5b3f780c4a2e691d5b3f7")},
		{"rotated-bits", "0123456789abcdef0123456789abcdef", hexed("1032547698badcfe1032547698badcfe")},
		{"shifted-bits", "0123456789abcdef0123456789abcdef", hexed("123456789abcdef0123456789abcde")},
		{"deflate-fixed", "canary-of-mine-here", hexed("4b4ecc4b2caad4cd4fd3cdcdcc4bd5cd482d4a0500")},
		{"gray-code", "0123456789abcdef0123456789abcdef", hexed("01326754cdfeab9801326754cdfeab98")},
		{"bit-planes", "0123456789abcdef0123456789abcdef", hexed("0f0f3333555500000f0f33335555ffff")},
		{"bit-planes", "0123456789abcdef0123456789abcdef", hexed("ffff555533330f0f0000555533330f0f")},
		{"halves-apart", "0123456789abcdef0123456789abcdef", hexed("02468ace02468ace13579bdf13579bdf")},
		{"halves-apart", "0123456789abcdef0123456789abcdef", hexed("13579bdf13579bdf02468ace02468ace")},
		{"columns", "0123456789abcdef0123456789abcdef", hexed("014589cd014589cd2367abef2367abef")},
		{"line-code", "0123456789abcdef0123456789abcdef", hexed("40589515cd48dab59def40589515cd48dab59def")}, // a serial line's, 8N1
		{"line-code", "0123456789abcdef0123456789abcdef", hexed("01c279baf132894a01c279baf132894a")},         // NRZI
		{"line-code", "0123456789abcdef0123456789abcdef", hexed("0191d16cf89d5f37df0191d16cf89d5f37df")},     // even parity
		{"nibbles", "0123456789abcdef0123456789abcdef", hexed("000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f")},
		{"dna", "0123456789abcdef0123456789abcdef", strings.Repeat("AAACAGATCACCCGCTGAGCGGGTTATCTGTT", 2)},
		{"base16-letters", "0123456789abcdef0123456789abcdef", strings.Repeat("ABCDEFGHIJKLMNOP", 2)},
		{"modhex", "0123456789abcdef0123456789abcdef", strings.Repeat("cbdefghijklnrtuv", 2)},
		{"spaced", "canary-of-mine", "c a n a r y - o f - m i n e"},
		{"signed-decimal", "0123456789abcdef0123456789abcdef", "1, 35, 69, 103, -119, -85, -51, -17, 1, 35, 69, 103, -119, -85, -51, -17"},
		{"decimal-words", "0123456789abcdef0123456789abcdef", "19088743, 2309737967, 19088743, 2309737967"},
		{"octal-words", "0123456789abcdef0123456789abcdef", "021401 063505 125611 167715 021401 063505 125611 167715"}, // od
		{"hex-words", "canary-of-mine:)", "6163 616e 7972 6f2d 2d66 696d 656e 293a"},                                   // od -x
		{"character-calls", "canary09", "chr(99)+chr(97)+chr(110)+chr(97)+chr(114)+chr(121)+chr(48)+chr(57)"},
	} {
		raw, err := hex.DecodeString(c.text)
		if err != nil || len(raw) < 16 {
			raw = nil
		}
		got := matches(matcher(t, secret.New([]byte(c.text), raw)), []byte("  "+c.as+"  "))
		if !slices.ContainsFunc(got, func(m layer.Match) bool { return m.Technique == c.technique }) {
			t.Errorf("%s: %d matches, of another technique", c.technique, len(got))
		}
	}
}
