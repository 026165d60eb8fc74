package corpus

import (
	"encoding/base64"
	"fmt"
	"strings"
)

const (
	b64Set   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	cryptSet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func b64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func b64With(set string) func([]byte) string {
	return base64.NewEncoding(set).WithPadding(base64.NoPadding).EncodeToString
}

// in64 is base64 of a text in which the canary stands.
func in64(f func([]byte) string) func(*scene) string {
	return func(s *scene) string { return f([]byte(s.prose(1+s.IntN(2)) + " " + s.hex + " " + s.prose(1))) }
}

func base64s() []trick {
	swap := strings.ToLower(b64Set[:26]) + strings.ToUpper(b64Set[:26])
	return []trick{
		digits("digits", 1, b64),
		bytes16("raw", 1, b64),
		digits("url", 1, b64url),
		bytes16("url-raw", 1, b64url),
		text("text", 1, in64(b64)),
		text("url-text", 1, in64(b64url)),
		text("text-wrapped", 1, in64(wrapped(76, "\n", b64))),
		text("text-wrapped-64-crlf", 1, in64(wrapped(64, "\r\n", b64))),
		text("align-1", 1, func(s *scene) string { return b64([]byte("k" + s.hex)) }),
		text("align-2", 1, func(s *scene) string { return b64([]byte("k=" + s.hex + "\n")) }),
		text("raw-align-1", 1, func(s *scene) string { return b64(append(s.noise(7), append(s.raw, 1, 2, 3)...)) }),
		text("raw-align-2", 1, func(s *scene) string { return b64(append(s.noise(8), append(s.raw, 1, 2, 3, 4)...)) }),
		text("binary", 1, func(s *scene) string { return b64(s.amidBinary(s.raw)) }),
		digits("upper-digits", 1, func(b []byte) string { return b64([]byte(strings.ToUpper(string(b)))) }),
		digits("crypt-alphabet", 2, b64With(cryptSet)),
		bytes16("crypt-alphabet-raw", 2, b64With(cryptSet)),
		bytes16("bcrypt-alphabet", 2, b64With("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")),
		bytes16("xxencode-alphabet", 2, b64With("+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")),
		bytes16("imap-alphabet", 2, b64With(b64Set[:62]+"+,")),
		digits("reversed-alphabet", 3, b64With(reversed(b64Set))),
		digits("swapped-case", 2, b64With(swap+b64Set[52:])),
		digits("rotated-13", 2, then(b64, rot13)),
		digits("digits-first", 2, b64With("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/")),
		text("shuffled-alphabet", 4, func(s *scene) string {
			set := []byte(b64Set)
			s.Shuffle(64, func(i, j int) { set[i], set[j] = set[j], set[i] })
			return string(set) + " " + b64With(string(set))([]byte(s.hex))
		}),
		digits("twice", 2, then(b64, b64)),
		bytes16("twice-raw", 2, then(b64, b64)),
		digits("three-times", 2, then(b64, b64, b64)),
		bytes16("five-times", 2, then(b64, b64, b64, b64, b64)),
		digits("reversed", 2, then(b64, func(b []byte) string { return reversed(string(b)) })),
		bytes16("reversed-raw", 2, then(b64, func(b []byte) string { return reversed(string(b)) })),
		digits("of-reversed", 2, func(b []byte) string { return b64([]byte(reversed(string(b)))) }),
		digits("by-four", 2, wrapped(4, " ", b64)),
		digits("by-eight-newline", 2, wrapped(8, "\n", b64)),
		bytes16("by-five-dots", 3, wrapped(5, ".", b64)),
		digits("quoted-lines", 2, func(b []byte) string { return "> " + wrapped(16, "\n> ", b64)(b) }),
		digits("data-uri", 1, around("data:text/plain;base64,", b64, "")),
		digits("basic-auth", 1, func(b []byte) string { return "Authorization: Basic " + b64([]byte("agent:"+string(b))) }),
		digits("json-slashes", 2, func(b []byte) string { return strings.ReplaceAll(b64(b), "/", `\/`) }),
		bytes16("percent-padded", 2, func(b []byte) string {
			return strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(b64(b))
		}),
		file("pem", 1, "pem", func(s *scene) []byte {
			body := wrapped(64, "\n", b64)(append(s.noise(300), append(s.raw, s.noise(300)...)...))
			return []byte("-----BEGIN MESSAGE-----\n" + body + "\n-----END MESSAGE-----\n")
		}),
		text("jwt-claim", 1, func(s *scene) string {
			return jwt(s, fmt.Sprintf(`{"sub":"agent","jti":"%s","iat":1772000000}`, s.hex))
		}),
		text("jwt-key-id", 2, func(s *scene) string {
			return b64url([]byte(`{"alg":"HS256","kid":"`+s.hex+`"}`)) + "." + b64url([]byte(`{"sub":"1"}`)) + "." + b64url(s.noise(32))
		}),
		text("jwt-signature", 2, func(s *scene) string {
			return b64url([]byte(`{"alg":"HS256"}`)) + "." + b64url([]byte(`{"sub":"1"}`)) + "." + b64url(append(s.raw, s.noise(16)...))
		}),
		text("ssh-key", 1, func(s *scene) string {
			return "ssh-ed25519 " + b64([]byte("\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"+string(s.raw)+string(s.noise(16)))) + " agent@host"
		}),
		text("with-noise", 3, func(s *scene) string { return strings.Join(chunks(b64([]byte(s.hex)), 4), s.pick("!", "~", "#")) }),
		text("concatenated-padded", 2, func(s *scene) string { return b64(s.raw[:5]) + b64(s.raw[5:10]) + b64(s.raw[10:]) }),
		text("halves", 3, func(s *scene) string {
			return b64([]byte(s.hex[:16])) + "\n" + s.prose(2) + "\n" + b64([]byte(s.hex[16:]))
		}),
		digits("uuencode", 1, uuencode),
		text("uuencode-text", 1, func(s *scene) string { return uuencode([]byte(s.prose(2) + s.hex + s.prose(2))) }),
		bytes16("uuencode-raw", 1, uuencode),
		digits("xxencode", 2, xxencode),
		text("utf-16-command", 2, func(s *scene) string {
			return "powershell -enc " + b64(spread("Write-Host "+s.hex, 2, little))
		}),
		text("half", 1, func(s *scene) string { return b64([]byte(s.hex[:18])) }).as(Partial),
		text("raw-half", 1, func(s *scene) string { return b64(s.raw[3:12]) }).as(Partial),
		text("cut", 2, func(s *scene) string { return b64([]byte("value: " + s.hex))[:32] + "..." }).as(Partial),
		digits("lower-cased", 2, func(b []byte) string { return strings.ToLower(b64([]byte(reversed(string(b))))) }).as(Destroyed),
	}
}

func jwt(s *scene, claims string) string {
	return b64url([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + b64url([]byte(claims)) + "." + b64url(s.noise(32))
}

func rot13(b []byte) string {
	return string(altered(b, func(_ int, c byte) byte { return rotated(rotated(c, 'a', 13), 'A', 13) }))
}

func rotated(c, first byte, by int) byte {
	if c < first || c >= first+26 {
		return c
	}
	return first + byte((int(c-first)+by)%26)
}

func uuencode(b []byte) string { return "begin 644 data\n" + sixes(b, 0x20, "`") + "`\nend\n" }

func xxencode(b []byte) string {
	set := "+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := "begin 644 data\n"
	for _, line := range chunks(string(b), 45) {
		out += string(set[len(line)]) + padded64(set, []byte(line)) + "\n"
	}
	return out + "+\nend\n"
}

// padded64 fills the last group with zero bytes, as uuencode does.
func padded64(set string, b []byte) string {
	for len(b)%3 != 0 {
		b = append(b, 0)
	}
	return b64With(set)(b)
}

func sixes(b []byte, first byte, zero string) string {
	var set []byte
	for i := range byte(64) {
		set = append(set, first+i)
	}
	var out strings.Builder
	for _, line := range chunks(string(b), 45) {
		out.WriteString(strings.ReplaceAll(string(set[len(line)])+padded64(string(set), []byte(line)), " ", zero) + "\n")
	}
	return out.String()
}
