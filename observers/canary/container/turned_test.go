package container

import (
	"math/bits"
	"testing"
)

func TestAFormatUnderALongerKeyIsShown(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if c.technique != Bzip2 && c.technique != Xz {
			continue
		}
		for _, key := range []string{"\x42\x17", "\x01\x80\xfe", "key!"} {
			wantShown(t, around(maskedWith(c.b, []byte(key))), Masked, string(c.b))
		}
	}
}

func TestATurnedFormatIsShown(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if c.technique != Gzip && c.technique != Xz && c.technique != Zstd {
			continue
		}
		for _, turn := range []func(byte) byte{
			func(c byte) byte { return c + 77 },
			func(c byte) byte { return c<<4 | c>>4 },
			bits.Reverse8,
		} {
			wantShown(t, around(each(c.b, turn)), Masked, string(c.b))
		}
	}
}
