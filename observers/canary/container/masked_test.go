package container

import (
	"bytes"
	"slices"
	"testing"
)

func TestAFormatUnderAConstantOrBackwardsIsShown(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if c.technique != Gzip && c.technique != Zstd && c.technique != Xz {
			continue
		}
		masked := around(unmasked(c.b, 0x99))
		wantShown(t, masked, Masked, string(c.b))
		back := bytes.Clone(c.b)
		slices.Reverse(back)
		wantShown(t, append(back, "behind"...), Masked, string(c.b))
	}
}

func TestATextUnderAConstantIsShown(t *testing.T) {
	for _, key := range []byte{0xff, 0x80, 0x42, 0x37} {
		wantShown(t, around(unmasked([]byte("118 61 55 102 51 97 99 50 "+needle), key)), MaskedText, needle)
	}
}

func TestATextUnderAnAdditionIsShown(t *testing.T) {
	for _, key := range []byte{5, 0x23, 0x80, 0xf0} {
		text := []byte("dGhlIHNlY3JldCBpcyBoZXJlIGFuZCBpdCBpcyBsb25n " + needle)
		for i := range text {
			text[i] += key
		}
		wantShown(t, around(text), MaskedText, needle)
	}
}

// Who complements has chosen no key: of that text need not be of letters, nor of
// one line.
func TestAComplementOfAnyTextIsShown(t *testing.T) {
	wantShown(t, around(unmasked([]byte("<~87cUR(]],!.(@)[*^$!~>'+,-;:\n<~!]].,"+needle), 0xff)), MaskedText, needle)
}

func TestZlibUnderAConstantIsShown(t *testing.T) {
	for _, c := range compressions(t, words(20)) {
		if c.technique == Zlib {
			wantShown(t, around(unmasked(c.b, 0xff)), Masked, string(c.b))
			wantShown(t, around(unmasked(c.b, 0x42)), Masked, string(c.b))
		}
	}
}

func TestNothingIsUnmaskedInNoise(t *testing.T) {
	for _, b := range [][]byte{noise(1<<20, 5), words(4000), noise(maskedText, 6)} {
		all, _ := views(b, 64<<20)
		for _, v := range all {
			if v.Technique == Masked || v.Technique == MaskedText {
				t.Errorf("%s: %d bytes of %d at %d", v.Technique, len(v.Bytes), len(b), v.Offset)
			}
		}
	}
}
