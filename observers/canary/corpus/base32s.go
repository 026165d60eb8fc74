package corpus

import (
	"encoding/base32"
	"strings"
)

const (
	b32Set       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	crockfordSet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	zSet         = "ybndrfg8ejkmcpqxot1uwisza345h769"
	geohashSet   = "0123456789bcdefghjkmnpqrstuvwxyz"
	wordSafeSet  = "23456789CFGHJMPQRVWXcfghjmpqrvwx"
	bechSet      = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
)

func b32(b []byte) string { return base32.StdEncoding.EncodeToString(b) }

func b32hex(b []byte) string { return base32.HexEncoding.EncodeToString(b) }

func b32With(set string) func([]byte) string {
	return base32.NewEncoding(set).WithPadding(base32.NoPadding).EncodeToString
}

func lower(b []byte) string { return strings.ToLower(string(b)) }

func base32s() []trick {
	return []trick{
		digits("digits", 1, b32),
		bytes16("raw", 1, b32),
		digits("lower", 1, then(b32, lower)),
		bytes16("lower-raw-unpadded", 1, b32With(strings.ToLower(b32Set))),
		digits("hex-alphabet", 1, b32hex),
		bytes16("hex-alphabet-raw", 1, b32hex),
		digits("hex-alphabet-lower", 1, then(b32hex, lower)),
		digits("crockford", 1, b32With(crockfordSet)),
		bytes16("crockford-raw", 1, b32With(crockfordSet)),
		bytes16("crockford-lower", 1, then(b32With(crockfordSet), lower)),
		bytes16("crockford-dashes", 2, wrapped(5, "-", b32With(crockfordSet))),
		bytes16("ulid", 1, ulid(crockfordSet)),
		bytes16("number-rfc4648", 2, ulid(b32Set)),
		digits("z-base-32", 1, b32With(zSet)),
		bytes16("z-base-32-raw", 1, b32With(zSet)),
		digits("geohash", 2, b32With(geohashSet)),
		bytes16("geohash-raw", 2, b32With(geohashSet)),
		bytes16("word-safe", 2, b32With(wordSafeSet)),
		bytes16("bech32", 2, around("bc1", b32With(bechSet), "qqqqqq")),
		text("text", 1, func(s *scene) string { return b32([]byte(s.prose(1) + s.hex + s.prose(1))) }),
		text("text-wrapped", 1, func(s *scene) string { return wrapped(72, "\n", b32)([]byte(s.prose(2) + s.hex + s.prose(2))) }),
		text("raw-align-1", 1, func(s *scene) string { return b32(append(s.noise(11), append(s.raw, s.noise(8)...)...)) }),
		text("raw-align-2", 1, func(s *scene) string { return b32(append(s.noise(12), append(s.raw, s.noise(9)...)...)) }),
		text("raw-align-3", 1, func(s *scene) string { return b32(append(s.noise(13), append(s.raw, s.noise(5)...)...)) }),
		text("raw-align-4", 1, func(s *scene) string { return b32(append(s.noise(14), append(s.raw, s.noise(5)...)...)) }),
		bytes16("authenticator", 2, wrapped(4, " ", then(b32With(b32Set), lower))),
		bytes16("authenticator-uri", 1, around("otpauth://totp/agent?secret=", b32With(b32Set), "&issuer=x")),
		digits("reversed", 2, then(b32, func(b []byte) string { return reversed(string(b)) })),
		digits("of-reversed", 2, func(b []byte) string { return b32([]byte(reversed(string(b)))) }),
		digits("twice", 2, then(b32, b32)),
		bytes16("twice-raw", 2, then(b32, b32)),
		bytes16("of-base64", 2, then(b64, b32)),
		bytes16("then-base64", 2, then(b32, b64)),
		bytes16("reversed-alphabet", 3, b32With(reversed(b32Set))),
		bytes16("mixed-case", 2, func(b []byte) string { return mixed(b32(b)) }),
		digits("wrapped-8-lines", 2, wrapped(8, "\n", b32)),
		text("half", 1, func(s *scene) string { return b32([]byte(s.hex[:20])) }).as(Partial),
		text("raw-part", 1, func(s *scene) string { return b32(s.raw[:10]) }).as(Partial),
	}
}

// ulid writes one number of 128 bits, so that the bits are aligned to the right.
func ulid(set string) func([]byte) string {
	return func(raw []byte) string {
		out := numeral(set)(raw)
		return strings.Repeat(set[:1], 26-len(out)) + out
	}
}

// mixed changes the case of every third letter.
func mixed(text string) string {
	return string(altered([]byte(text), func(i int, c byte) byte {
		if i%3 == 0 && c >= 'A' && c <= 'Z' {
			return c | 0x20
		}
		return c
	}))
}
