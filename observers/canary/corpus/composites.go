package corpus

import (
	"archive/zip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// layers are what the composites put upon each other, each from bytes to bytes.
func layers() []struct {
	name string
	f    func([]byte) []byte
} {
	lift := func(f func([]byte) string) func([]byte) []byte { return func(b []byte) []byte { return []byte(f(b)) } }
	return []struct {
		name string
		f    func([]byte) []byte
	}{
		{"base64", lift(b64)},
		{"base64url", lift(b64url)},
		{"base32", lift(b32)},
		{"hex", lift(hex.EncodeToString)},
		{"ascii85", lift(a85)},
		{"percent", lift(each("%%%02X", ""))},
		{"x", lift(each(`\x%02x`, ""))},
		{"decimal", lift(each("%d", " "))},
		{"base58", lift(numeral(bitcoinSet))},
		{"reversed", reversedBytes},
		{"not", func(b []byte) []byte { return altered(b, func(_ int, c byte) byte { return ^c }) }},
		{"xor", func(b []byte) []byte { return altered(b, func(_ int, c byte) byte { return c ^ 0x42 }) }},
		{"gzip", gz},
		{"zlib", zl},
		{"zstd", zst},
		{"utf-16", func(b []byte) []byte { return spread(latin(b), 2, little) }},
	}
}

// pairs are every layer upon every third other.
func pairs() []trick {
	var out []trick
	all := layers()
	for i, inner := range all {
		for j, outer := range all {
			if i == j || (i+2*j)%3 != 0 {
				continue
			}
			out = append(out, blob(inner.name+"-in-"+outer.name, 2, func(s *scene) []byte { return outer.f(inner.f([]byte("v=" + s.hex + ";"))) }))
		}
	}
	return out
}

// triples draw three layers by chance, texts only, so that each can be undone.
func triples() []trick {
	var out []trick
	all := layers()[:6]
	for i := range 12 {
		a, b, c := all[i%6], all[(i*5+1)%6], all[(i/2+3)%6]
		out = append(out, text(fmt.Sprintf("three-%d-%s-%s-%s", i, a.name, b.name, c.name), 2, func(s *scene) string { return string(c.f(b.f(a.f(s.raw)))) }))
	}
	return out
}

func composites() []trick {
	return append(append([]trick{
		text("gzip-base64", 2, func(s *scene) string { return b64(gz(s.story())) }),
		text("gzip-base64-wrapped", 2, func(s *scene) string { return wrapped(76, "\n", b64)(gz(s.story())) }),
		text("gzip-base64-hex", 2, func(s *scene) string { return hex.EncodeToString([]byte(b64(gz(s.story())))) }),
		text("gzip-base64-percent", 2, func(s *scene) string { return url.QueryEscape(b64(gz(s.story()))) }),
		text("zlib-base32", 2, func(s *scene) string { return b32(zl(s.story())) }),
		text("xz-ascii85", 2, func(s *scene) string { return "<~" + a85(xzed(s.story())) + "~>" }),
		text("zstd-base64url", 2, func(s *scene) string { return b64url(zst(s.story())) }),
		text("bzip2-hex", 2, func(s *scene) string { return hex.EncodeToString(bzip2(s.story())) }),
		text("lz4-base64", 2, func(s *scene) string { return b64(lz4d(s.story())) }),
		text("brotli-base64", 3, func(s *scene) string { return b64(brotlied(s.story())) }),
		text("deflate-base64-saml", 2, func(s *scene) string {
			return "https://idp.example.com/sso?SAMLRequest=" + url.QueryEscape(b64(deflated([]byte(`<samlp:AuthnRequest ID="_`+s.hex+`"/>`))))
		}),
		text("zlib-python", 2, func(s *scene) string {
			return "exec(__import__('zlib').decompress(__import__('base64').b64decode('" + b64(zl([]byte("print('"+s.hex+"')"))) + "')))"
		}),
		text("gzip-powershell", 2, func(s *scene) string {
			return "powershell -enc " + b64(spread("[IO.Compression.GzipStream] '"+b64(gz([]byte("echo "+s.hex)))+"'", 2, little))
		}),
		text("tar-gzip-base64", 2, func(s *scene) string { return wrapped(76, "\n", b64)(gz(tarred(s.storyEntry()))) }),
		text("zip-base64-json", 2, func(s *scene) string {
			return `{"name":"a.zip","content":"` + b64(zipped(zip.Deflate, "", s.storyEntry())) + `"}`
		}),
		text("json-in-json", 2, func(s *scene) string {
			return nested(nested(nested(`{"k":"` + each(`\u%04x`, "")([]byte(s.hex)) + `"}`)))
		}),
		text("base64-json-base64", 2, func(s *scene) string { return b64([]byte(`{"a":1,"v":"` + b64([]byte(`{"v":"`+s.hex+`"}`)) + `"}`)) }),
		text("cookie", 2, func(s *scene) string {
			return "Cookie: session=" + url.QueryEscape(b64([]byte(`{"id":"`+s.hex+`","u":7}`)))
		}),
		text("jwt-deflated", 2, func(s *scene) string {
			return b64url([]byte(`{"alg":"none","zip":"DEF"}`)) + "." + b64url(deflated([]byte(`{"sub":"`+s.hex+`"}`))) + "."
		}),
		text("entities-of-base64", 2, func(s *scene) string { return each("&#%d;", "")([]byte(b64(s.raw))) }),
		text("rot13-of-base64", 2, func(s *scene) string { return rot13([]byte(b64([]byte(s.hex)))) }),
		text("hex-of-rot13", 2, func(s *scene) string { return hex.EncodeToString([]byte(rot13([]byte(s.hex)))) }),
		text("morse-of-hex-of-base64", 4, func(s *scene) string { return substituted(morseSet, " ")([]byte(b64(s.raw))) }),
		text("base64-of-xor-of-gzip", 3, func(s *scene) string {
			return b64(altered(gz(s.story()), func(_ int, c byte) byte { return c ^ 0x11 }))
		}),
		text("base32-of-gzip-of-base64", 2, func(s *scene) string { return b32(gz([]byte(b64(s.story())))) }),
		text("six-base64", 2, func(s *scene) string { return then(b64, b64, b64, b64, b64, b64)([]byte(s.hex)) }),
		text("data-uri-gzip", 2, func(s *scene) string {
			return "background:url(data:image/svg+xml;base64," + b64(gz([]byte("<svg><desc>"+s.hex+"</desc></svg>"))) + ")"
		}),
		text("quoted-printable-of-base64", 2, func(s *scene) string { return each("=%02X", "")([]byte(b64([]byte(s.hex)))) }),
		text("binary-of-base64", 2, func(s *scene) string { return each("%08b", " ")([]byte(b64(s.raw))) }),
		text("base64-of-hexdump", 2, func(s *scene) string { return b64([]byte(xxd(s.noticed()))) }),
		text("decimal-of-gzip", 3, func(s *scene) string { return each("%d", ",")(gz([]byte("key " + s.hex + " end"))) }),
		text("fullwidth-base64", 3, func(s *scene) string {
			return runes(func(c byte) rune { return rune(c) + 0xfee0 })([]byte(b64(s.raw)))
		}),
		text("half-gzip-base64", 2, func(s *scene) string { return b64(gz([]byte(s.prose(2) + s.hex[:16] + s.prose(2)))) }).as(Partial),
		text("half-hex-base64", 2, func(s *scene) string { return hex.EncodeToString([]byte(b64([]byte(s.hex[:18])))) }).as(Partial),
	}, pairs()...), triples()...)
}

func nested(text string) string {
	return `{"msg":` + strings.TrimSpace(string(must1(json.Marshal(text)))) + `}`
}
