package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/net/http2/hpack"
)

func protocols() []trick {
	get := func(s *scene) []byte {
		return []byte("GET /v1/" + s.word() + " HTTP/1.1\r\nHost: api.example.com\r\nX-Request-Id: " + s.hex + "\r\n\r\n")
	}
	return append([]trick{
		file("http-header", 1, "txt", get),
		file("http-path", 1, "txt", func(s *scene) []byte { return []byte("GET /" + s.hex + "/x HTTP/1.1\r\nHost: a\r\n\r\n") }),
		file("http-basic", 1, "txt", func(s *scene) []byte {
			return []byte("GET / HTTP/1.1\r\nAuthorization: Basic " + b64([]byte("u:"+s.hex)) + "\r\n\r\n")
		}),
		file("http-chunked", 3, "txt", func(s *scene) []byte {
			out := "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
			for _, c := range chunks("data="+s.hex+"&x=1", 7) {
				out += fmt.Sprintf("%x\r\n%s\r\n", len(c), c)
			}
			return []byte(out + "0\r\n\r\n")
		}),
		file("http-gzip", 2, "txt", func(s *scene) []byte {
			b := gz(s.story())
			return append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(b)), b...)
		}),
		file("http-gzip-chunked", 3, "txt", func(s *scene) []byte {
			out := "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
			for _, c := range chunks(string(gz(s.story())), 50) {
				out += fmt.Sprintf("%x\r\n%s\r\n", len(c), c)
			}
			return []byte(out + "0\r\n\r\n")
		}),
		file("http-cookies", 3, "txt", func(s *scene) []byte {
			out := "HTTP/1.1 200 OK\r\n"
			for i, c := range chunks(s.hex, 8) {
				out += fmt.Sprintf("Set-Cookie: c%d=%s; Path=/\r\n", i, c)
			}
			return []byte(out + "\r\n")
		}),
		file("http-ranges", 3, "txt", func(s *scene) []byte {
			out := ""
			for _, c := range s.raw {
				out += fmt.Sprintf("GET /f HTTP/1.1\r\nHost: a\r\nRange: bytes=%d-\r\n\r\n", c)
			}
			return []byte(out)
		}),
		file("http2-huffman", 2, "bin", func(s *scene) []byte {
			var block bytes.Buffer
			e := hpack.NewEncoder(&block)
			must(e.WriteField(hpack.HeaderField{Name: ":path", Value: "/"}))
			must(e.WriteField(hpack.HeaderField{Name: "x-key", Value: s.hex}))
			return append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"), append([]byte{0, 0, byte(block.Len()), 1, 4, 0, 0, 0, 1}, block.Bytes()...)...)
		}),
		file("multipart", 1, "txt", func(s *scene) []byte {
			return []byte("--b0\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\n" + s.hex + "\r\n--b0--\r\n")
		}),
		file("websocket-masked", 2, "bin", func(s *scene) []byte {
			key := s.noise(4)
			b := []byte(`{"k":"` + s.hex + `"}`)
			return append(append([]byte{0x81, 0x80 | byte(len(b))}, key...), altered(b, func(i int, c byte) byte { return c ^ key[i%4] })...)
		}),
		file("websocket-frames", 3, "bin", func(s *scene) []byte {
			var out []byte
			for _, p := range chunks(s.hex, 4) {
				key := s.noise(4)
				out = append(append(append(out, 0x81, 0x84), key...), altered([]byte(p), func(i int, c byte) byte { return c ^ key[i%4] })...)
			}
			return out
		}),
		file("smtp-attachment", 2, "eml", func(s *scene) []byte { return mail(s, b64lines(gz(s.story()))) }),
		file("smtp-text", 1, "eml", func(s *scene) []byte { return mail(s, b64lines(s.story())) }),
		file("smtp-login", 1, "txt", func(s *scene) []byte {
			return []byte("220 mx\r\nEHLO a\r\nAUTH LOGIN\r\n334 VXNlcm5hbWU6\r\n" + b64([]byte("agent")) + "\r\n" + b64([]byte(s.hex)) + "\r\n235 ok\r\n")
		}),
		file("smtp-mailboxes", 3, "txt", func(s *scene) []byte {
			return []byte("RCPT TO:<" + strings.Join(chunks(s.hex, 4), "@example.com>\r\nRCPT TO:<") + "@example.com>\r\n")
		}),
		file("imap-literal", 1, "txt", func(s *scene) []byte { return []byte("a1 APPEND INBOX {32}\r\n" + s.hex + "\r\na2 NOOP\r\n") }),
		file("mqtt", 1, "bin", func(s *scene) []byte { return append([]byte("\x30\x26\x00\x04a/bc"), s.hex...) }),
		file("redis", 1, "txt", func(s *scene) []byte { return []byte("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$32\r\n" + s.hex + "\r\n") }),
		file("redis-list", 3, "txt", func(s *scene) []byte {
			return []byte("*10\r\n$5\r\nRPUSH\r\n$1\r\nk\r\n$4\r\n" + strings.Join(chunks(s.hex, 4), "\r\n$4\r\n") + "\r\n")
		}),
		file("postgres-bind", 1, "bin", func(s *scene) []byte {
			return append([]byte("B\x00\x00\x00\x22\x00\x00\x00\x01\x00\x01\x00\x01\x00\x00\x00\x10"), s.raw...)
		}),
		file("grpc", 1, "bin", func(s *scene) []byte { return append([]byte{0, 0, 0, 0, 18}, field(1, s.raw)...) }),
		file("grpc-gzip", 2, "bin", func(s *scene) []byte {
			b := gz(field(1, s.story()))
			return append(binary.BigEndian.AppendUint32([]byte{1}, uint32(len(b))), b...)
		}),
		file("grpc-stream", 3, "bin", func(s *scene) []byte {
			var out []byte
			for _, c := range chunks(string(s.raw), 4) {
				out = append(append(out, 0, 0, 0, 0, 6), field(1, []byte(c))...)
			}
			return out
		}),
		file("snmp", 2, "bin", func(s *scene) []byte {
			oid := []byte{0x2b, 6, 1, 4, 1}
			for _, c := range s.raw {
				if c >= 0x80 {
					oid = append(oid, 0x81)
				}
				oid = append(oid, c&0x7f)
			}
			return append([]byte{0x30, byte(len(oid) + 4), 6, byte(len(oid))}, append(oid, 5, 0)...)
		}),
		file("ldap", 1, "bin", func(s *scene) []byte {
			return append([]byte("\x30\x32\x02\x01\x01\x60\x2d\x02\x01\x03\x04\x06cn=abc\x80\x20"), s.hex...)
		}),
		file("server-events", 3, "txt", func(s *scene) []byte {
			return []byte("event: m\ndata: " + strings.Join(chunks(s.hex, 4), "\n\nevent: m\ndata: ") + "\n\n")
		}),
		file("language-model-stream", 3, "txt", func(s *scene) []byte {
			return []byte(`data: {"choices":[{"delta":{"content":"` + strings.Join(chunks(s.hex, 3), `"}}]}`+"\n\n"+`data: {"choices":[{"delta":{"content":"`) + `"}}]}` + "\n\ndata: [DONE]\n\n")
		}),
		file("trace-header", 1, "txt", func(s *scene) []byte { return []byte("traceparent: 00-" + s.hex + "-00f067aa0ba902b7-01\r\n") }),
		file("otlp-json", 2, "json", func(s *scene) []byte {
			return []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"` + b64(s.raw) + `","name":"` + s.word() + `"}]}]}]}`)
		}),
		file("otlp-json-attributes", 3, "json", func(s *scene) []byte {
			return []byte(`{"attributes":[{"key":"a","value":{"stringValue":"` + strings.Join(chunks(s.hex, 4), `"}},{"key":"a","value":{"stringValue":"`) + `"}}]}`)
		}),
		file("otlp-protobuf", 2, "pb", func(s *scene) []byte {
			return field(1, field(2, field(2, append(field(1, s.raw), append(field(2, s.noise(8)), field(5, []byte(s.word()))...)...))))
		}),
		file("docker-stream", 2, "log", func(s *scene) []byte {
			var out []byte
			for _, c := range chunks(string(s.story()), 60) {
				out = append(out, framed([]byte(c))...)
			}
			return out
		}),
		file("docker-stream-digits", 3, "log", func(s *scene) []byte {
			var out []byte
			for _, c := range chunks(s.hex, 2) {
				out = append(out, framed([]byte(c))...)
			}
			return out
		}),
		file("docker-json-partial", 3, "log", func(s *scene) []byte {
			whole := b64(gz([]byte(s.prose(2) + s.hex)))
			out := ""
			for _, c := range chunks(whole, len(whole)/3+1) {
				out += `{"log":` + quoted(c) + `,"stream":"stdout","time":"2026-03-01T00:00:00.000000001Z"}` + "\n"
			}
			return []byte(out)
		}),
		file("journal-export", 1, "txt", func(s *scene) []byte {
			return append(append([]byte("__CURSOR=x\nMESSAGE\n"), header("", 16, 0)...), string(s.raw)+"\n_PID=1\n\n"...)
		}),
		file("syslog", 1, "log", func(s *scene) []byte {
			return []byte("<34>1 2026-03-01T00:00:00Z host app 1 ID1 [x@1 k=\"" + s.hex + "\"] " + s.prose(1) + "\n")
		}),
		file("syslog-pids", 4, "log", func(s *scene) []byte {
			out := ""
			for i := range 8 {
				out += fmt.Sprintf("<13>Mar  1 00:00:%02d host app[%d]: %s\n", i, binary.BigEndian.Uint16(s.raw[2*i:]), s.word())
			}
			return []byte(out)
		}),
		file("statsd", 3, "txt", func(s *scene) []byte { return []byte(each("app.mem:%d|g", "\n")(s.raw) + "\n") }),
		file("telnet-characters", 3, "bin", func(s *scene) []byte { return []byte(each("%c\xff\xf1", "")([]byte(s.hex))) }),
		file("tls-server-name", 2, "bin", func(s *scene) []byte { return hello(s, s.noise(32), s.noise(32), s.hex+".example.com") }),
		file("tls-session", 2, "bin", func(s *scene) []byte { return hello(s, s.noise(32), append(s.raw, s.noise(16)...), "example.com") }),
		file("tls-random", 2, "bin", func(s *scene) []byte { return hello(s, append(s.noise(16), s.raw...), s.noise(32), "example.com") }),
		file("ssh-banner", 1, "txt", func(s *scene) []byte { return []byte("SSH-2.0-OpenSSH_9.6 " + s.hex + "\r\n") }),
		file("sip", 1, "txt", func(s *scene) []byte { return []byte("INVITE sip:a@b SIP/2.0\r\nCall-ID: " + s.hex + "@host\r\n\r\n") }),
		file("coap", 1, "bin", func(s *scene) []byte { return append([]byte("\x40\x02\x12\x34\xb1a\xff"), s.raw...) }),
		file("json-rpc", 2, "txt", func(s *scene) []byte {
			return []byte(`{"jsonrpc":"2.0","method":"call","params":{"args":` + quoted(`{"k":"`+each(`\u%04x`, "")([]byte(s.hex))+`"}`) + `}}`)
		}),
		file("soap", 1, "xml", func(s *scene) []byte {
			return []byte("<soap:Envelope><soap:Body><x:k xsi:type='xsd:base64Binary'>" + b64(s.raw) + "</x:k></soap:Body></soap:Envelope>")
		}),
		file("http-header-half", 1, "txt", func(s *scene) []byte { return []byte("GET / HTTP/1.1\r\nX-Id: " + s.hex[:16] + "\r\n\r\n") }).as(Partial),
	}, captures(get)...)
}

func b64lines(b []byte) string { return wrapped(76, "\r\n", b64)(b) }

func mail(s *scene, body string) []byte {
	return []byte("From: a@example.com\r\nSubject: " + s.word() + "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x1\r\n\r\n--x1\r\n\r\n" + s.prose(3) +
		"\r\n--x1\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body + "\r\n--x1--\r\n")
}

// framed is a line of the Docker Engine's multiplexed stream.
func framed(b []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{1, 0, 0, 0}, uint32(len(b))), b...)
}

// hello is a TLS ClientHello with one extension.
func hello(_ *scene, random, session []byte, name string) []byte {
	two := func(b []byte) []byte { return append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...) }
	sni := append([]byte{0, 0}, two(two(append([]byte{0}, two([]byte(name))...)))...)
	body := append(append([]byte{3, 3}, random...), append([]byte{32}, session...)...)
	body = append(append(body, 0, 2, 0x13, 1, 1, 0), two(sni)...)
	body = append([]byte{1, 0, byte(len(body) >> 8), byte(len(body))}, body...)
	return append([]byte{22, 3, 1}, two(body)...)
}
