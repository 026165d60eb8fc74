package corpus

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"strings"
)

func fileFormats() []trick {
	return append([]trick{
		file("png-text", 1, "png", func(s *scene) []byte { return pngWith(s, "tEXt", []byte("Comment\x00"+s.hex)) }),
		file("png-text-compressed", 2, "png", func(s *scene) []byte {
			return pngWith(s, "zTXt", append([]byte("Comment\x00\x00"), zl(s.story())...))
		}),
		file("png-text-international", 2, "png", func(s *scene) []byte {
			return pngWith(s, "iTXt", append([]byte("XML:xmp\x00\x01\x00\x00\x00"), zl(s.story())...))
		}),
		file("png-private-chunk", 1, "png", func(s *scene) []byte { return pngWith(s, "prVt", s.raw) }),
		file("png-after-end", 1, "png", func(s *scene) []byte { return append(s.png(24, 24), s.hex...) }),
		file("png-pixels", 2, "png", func(s *scene) []byte { return pixels(s, s.raw) }),
		file("png-pixels-digits", 2, "png", func(s *scene) []byte { return pixels(s, []byte(s.hex)) }),
		file("png-profile", 2, "png", func(s *scene) []byte { return pngWith(s, "iCCP", append([]byte("icc\x00\x00"), zl(s.story())...)) }),
		file("jpeg-comment", 1, "jpg", func(s *scene) []byte { return jpegWith(s, 0xfe, []byte(s.hex)) }),
		file("jpeg-exif", 2, "jpg", func(s *scene) []byte {
			return jpegWith(s, 0xe1, append([]byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x86\x92\x07\x00\x28\x00\x00\x00\x1a\x00\x00\x00\x00\x00\x00\x00ASCII\x00\x00\x00"), s.hex...))
		}),
		file("jpeg-exif-utf-16", 2, "jpg", func(s *scene) []byte {
			return jpegWith(s, 0xe1, append([]byte("Exif\x00\x00II*\x00XPComment"), spread(s.hex, 2, little)...))
		}),
		file("jpeg-xmp", 2, "jpg", func(s *scene) []byte {
			return jpegWith(s, 0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta><rdf:li>"+b64(s.raw)+"</rdf:li></x:xmpmeta>"))
		}),
		file("jpeg-after-end", 1, "jpg", func(s *scene) []byte { return append(jpegWith(s, 0xfe, nil), s.raw...) }),
		file("gif-comment", 1, "gif", func(s *scene) []byte {
			b := s.gif()
			return append(b[:len(b)-1], append([]byte{0x21, 0xfe, 32}, s.hex+"\x00;"...)...)
		}),
		file("gif-pixels", 4, "gif", func(s *scene) []byte {
			img := image.NewPaletted(image.Rect(0, 0, 16, 8), greys(16))
			copy(img.Pix[48:], nibbles(s.raw))
			var out bytes.Buffer
			must(gif.Encode(&out, img, nil))
			return out.Bytes()
		}),
		file("gif-palette", 2, "gif", func(s *scene) []byte {
			p := greys(16)
			for i := range 5 {
				p[i] = color.RGBA{s.raw[3*i], s.raw[3*i+1], s.raw[3*i+2], 255}
			}
			p[5] = color.RGBA{s.raw[15], 0, 0, 255}
			var out bytes.Buffer
			must(gif.Encode(&out, image.NewPaletted(image.Rect(0, 0, 9, 9), p), nil))
			return out.Bytes()
		}),
		file("bmp-pixels", 2, "bmp", func(s *scene) []byte {
			body := slots(3*32*8, s.raw, 100, 1, s.byte)
			return append(header("BM", uint32(54+len(body)), 0, 54, 40, 32, 8, 24<<16|1, 0, uint32(len(body)), 0, 0, 0, 0), body...)
		}),
		file("bmp-one-channel", 3, "bmp", func(s *scene) []byte {
			body := slots(3*64*8, []byte(s.hex), 30, 3, s.byte)
			return append(header("BM", uint32(54+len(body)), 0, 54, 40, 64, 8, 24<<16|1, 0, uint32(len(body)), 0, 0, 0, 0), body...)
		}),
		file("ppm-ascii", 2, "ppm", func(s *scene) []byte {
			return []byte("P3\n4 4\n255\n" + each("%d", " ")(append(s.noise(20), append(s.raw, s.noise(12)...)...)) + "\n")
		}),
		file("wav-list", 1, "wav", func(s *scene) []byte {
			return wav(s.noise(800), []byte("LIST\x2c\x00\x00\x00INFOICMT\x20\x00\x00\x00"+s.hex))
		}),
		file("wav-samples", 2, "wav", func(s *scene) []byte { return wav(slots(1600, s.raw, 300, 1, s.byte), nil) }),
		file("wav-high-bytes", 3, "wav", func(s *scene) []byte { return wav(slots(1600, s.raw, 301, 2, s.byte), nil) }),
		file("mp3-tag", 1, "mp3", func(s *scene) []byte {
			frame := append([]byte("TXXX\x00\x00\x00\x26\x00\x00\x00note\x00"), s.hex...)
			return append(append([]byte("ID3\x03\x00\x00\x00\x00\x00\x30"), frame...), s.noise(600)...)
		}),
		file("mp3-tag-utf-16", 2, "mp3", func(s *scene) []byte {
			frame := append([]byte("TIT2\x00\x00\x00\x43\x00\x00\x01\xff\xfe"), spread(s.hex, 2, little)...)
			return append(append([]byte("ID3\x03\x00\x00\x00\x00\x00\x4d"), frame...), s.noise(600)...)
		}),
		file("mp3-old-tag", 3, "mp3", func(s *scene) []byte {
			return append(s.noise(900), fmt.Sprintf("TAG%-30s%-30s%-30s2026%-30s\x00", s.hex[:30], s.word(), s.word(), s.hex[30:])...)
		}),
		file("flac-comment", 1, "flac", func(s *scene) []byte {
			return append([]byte("fLaC\x84\x00\x00\x3c\x04\x00\x00\x00test\x01\x00\x00\x00\x28\x00\x00\x00COMMENT="+s.hex), s.noise(500)...)
		}),
		file("mp4-free", 1, "mp4", func(s *scene) []byte {
			return append([]byte("\x00\x00\x00\x14ftypisom\x00\x00\x00\x00isom\x00\x00\x00\x18free"+string(s.raw)+"\x00\x00\x03\x08mdat"), s.noise(768)...)
		}),
		file("webp-exif", 1, "webp", func(s *scene) []byte {
			return append(header("RIFF", 400), "WEBPVP8 \x64\x00\x00\x00"+string(s.noise(100))+"EXIF\x20\x00\x00\x00"+s.hex...)
		}),
		file("pdf-info", 1, "pdf", func(s *scene) []byte { return pdf(s, "<< /Title ("+s.hex+") >>") }),
		file("pdf-info-hex", 1, "pdf", func(s *scene) []byte { return pdf(s, "<< /Title <"+hex.EncodeToString([]byte(s.hex))+"> >>") }),
		file("pdf-info-utf-16", 2, "pdf", func(s *scene) []byte {
			return pdf(s, fmt.Sprintf("<< /Title <feff%x> >>", spread(s.hex, 2, binary.BigEndian)))
		}),
		file("pdf-info-octal", 2, "pdf", func(s *scene) []byte { return pdf(s, "<< /Title ("+each(`\%03o`, "")([]byte(s.hex))+") >>") }),
		file("pdf-stream", 2, "pdf", func(s *scene) []byte {
			return pdfStream(s, "/FlateDecode", zl([]byte("BT /F1 12 Tf 72 700 Td ("+s.hex+") Tj ET")))
		}),
		file("pdf-stream-hex", 2, "pdf", func(s *scene) []byte { return pdfStream(s, "/ASCIIHexDecode", fmt.Appendf(nil, "%x>", s.story())) }),
		file("pdf-stream-85", 2, "pdf", func(s *scene) []byte {
			return pdfStream(s, "[/ASCII85Decode /FlateDecode]", []byte(a85(zl(s.story()))+"~>"))
		}),
		file("pdf-kerned", 3, "pdf", func(s *scene) []byte {
			return pdfStream(s, "/FlateDecode", zl([]byte("BT [("+strings.Join(chunks(s.hex, 2), ") -20 (")+")] TJ ET")))
		}),
		file("pdf-shown-apart", 3, "pdf", func(s *scene) []byte {
			return pdfStream(s, "/FlateDecode", zl([]byte("BT ("+strings.Join(chunks(s.hex, 4), ") Tj 20 0 Td (")+") Tj ET")))
		}),
		file("pdf-after-end", 1, "pdf", func(s *scene) []byte { return append(pdf(s, "<< >>"), "\n% "+s.hex+"\n"...) }),
		office("docx-text", 2, "docx", func(s *scene) string {
			return "<w:document><w:body><w:p><w:r><w:t>" + s.prose(3) + s.hex + "</w:t></w:r></w:p></w:body></w:document>"
		}),
		office("docx-runs", 3, "docx", func(s *scene) string {
			return "<w:p><w:r><w:t>" + strings.Join(chunks(s.hex, 3), `</w:t></w:r><w:r w:rsidR="00A1"><w:rPr><w:b/></w:rPr><w:t>`) + "</w:t></w:r></w:p>"
		}),
		office("docx-paragraphs", 3, "docx", func(s *scene) string {
			return "<w:p><w:r><w:t>" + strings.Join(chunks(s.hex, 8), `</w:t></w:r></w:p><w:p><w:r><w:t>`) + "</w:t></w:r></w:p>"
		}),
		office("xlsx-shared", 2, "xlsx", func(s *scene) string { return "<sst><si><t>one</t></si><si><t>" + s.hex + "</t></si></sst>" }),
		office("xlsx-codes", 2, "xlsx", func(s *scene) string {
			return "<row>" + each(`<c r="A1"><v>%d</v></c>`, "")([]byte(s.hex)) + "</row>"
		}),
		office("xlsx-cells", 3, "xlsx", func(s *scene) string {
			return "<row><c><v>" + strings.Join(chunks(s.hex, 4), "</v></c></row><row><c><v>") + "</v></c></row>"
		}),
		office("odt-meta", 2, "odt", func(s *scene) string { return "<meta:user-defined>" + b64(s.raw) + "</meta:user-defined>" }),
		file("svg-metadata", 1, "svg", func(s *scene) []byte { return []byte("<svg><metadata>" + s.hex + "</metadata><path d='M0 0'/></svg>") }),
		file("svg-path", 3, "svg", func(s *scene) []byte { return []byte("<svg><path d='M" + each("%d", ",")(s.raw) + "z'/></svg>") }),
		file("svg-letters", 3, "svg", func(s *scene) []byte {
			out := "<svg>"
			for i, c := range s.hex {
				out += fmt.Sprintf("<text x='%d' y='10'>%c</text>\n", 10*i, c)
			}
			return []byte(out + "</svg>")
		}),
		file("html-comment", 1, "html", func(s *scene) []byte { return []byte("<html><!-- " + s.hex + " --><p>" + s.prose(4) + "</p></html>") }),
		file("html-attribute-base64", 2, "html", func(s *scene) []byte {
			return []byte("<div data-k=\"" + b64(s.raw) + "\">" + s.prose(2) + "</div>")
		}),
		file("html-table", 3, "html", func(s *scene) []byte {
			return []byte("<table><tr><td>" + strings.Join(chunks(s.hex, 2), "</td>\n<td>") + "</td></tr></table>")
		}),
		file("rtf", 2, "rtf", func(s *scene) []byte {
			return []byte(`{\rtf1\ansi ` + s.prose(2) + each(`\'%02x`, "")([]byte(s.hex)) + "}")
		}),
		file("rtf-object", 2, "rtf", func(s *scene) []byte {
			return fmt.Appendf(nil, `{\rtf1{\object\objemb{\*\objdata %x}}}`, s.amid(s.raw))
		}),
		file("calendar-folded", 2, "ics", func(s *scene) []byte {
			return []byte("BEGIN:VEVENT\r\nSUMMARY:meeting\r\nUID:" + s.hex[:20] + "\r\n " + s.hex[20:] + "\r\nEND:VEVENT\r\n")
		}),
		file("contact-photo", 2, "vcf", func(s *scene) []byte {
			return []byte("BEGIN:VCARD\r\nPHOTO;ENCODING=b:" + wrapped(70, "\r\n ", b64)(s.amid(s.raw)) + "\r\nEND:VCARD\r\n")
		}),
		file("registry", 2, "reg", func(s *scene) []byte {
			return spread("\ufeffWindows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software]\r\n\"k\"=hex:"+wrapped(24, "\\\r\n  ", each("%02x", ","))(s.raw)+"\r\n", 2, little)
		}),
		file("ldif", 1, "ldif", func(s *scene) []byte {
			return []byte("dn: cn=a,dc=x\ncn: a\nuserPassword:: " + b64([]byte(s.hex)) + "\n")
		}),
		file("ldif-folded", 2, "ldif", func(s *scene) []byte {
			return []byte("dn: cn=a,dc=x\njpegPhoto:: " + wrapped(60, "\n ", b64)(s.amid(s.raw)) + "\n")
		}),
		file("properties", 1, "properties", func(s *scene) []byte { return []byte("a=1\nb=" + each(`\u%04x`, "")([]byte(s.hex)) + "\n") }),
		file("yaml-folded", 2, "yaml", func(s *scene) []byte {
			return []byte("a: 1\nkey: >-\n  " + wrapped(8, "\n  ", as)([]byte(s.hex)) + "\nb: 2\n")
		}),
		file("yaml-binary", 1, "yaml", func(s *scene) []byte { return []byte("a: 1\nkey: !!binary |\n  " + b64(s.raw) + "\n") }),
		file("notebook", 1, "ipynb", func(s *scene) []byte {
			return []byte(`{"cells":[{"outputs":[{"data":{"image/png":"` + b64(pngWith(s, "tEXt", []byte("k\x00"+s.hex))) + `"}}]}]}`)
		}),
		file("har", 2, "har", func(s *scene) []byte {
			return []byte(`{"log":{"entries":[{"response":{"content":{"encoding":"base64","text":"` + b64(gz(s.story())) + `"}}}]}}`)
		}),
		file("sql-dump", 1, "sql", func(s *scene) []byte { return fmt.Appendf(nil, "INSERT INTO `k` VALUES (1,0x%X),(2,NULL);\n", s.raw) }),
		file("csv-cells", 3, "csv", func(s *scene) []byte { return []byte("a,b,c,d,e,f,g,h\n" + strings.Join(chunks(s.hex, 4), ",") + "\n") }),
		file("npy", 1, "npy", func(s *scene) []byte {
			return append([]byte("\x93NUMPY\x01\x00v\x00{'descr': '<u4', 'fortran_order': False, 'shape': (32,), }\n"), slots(128, s.raw, 40, 4, func() byte { return 0 })...)
		}),
		file("gob", 1, "gob", func(s *scene) []byte {
			var out bytes.Buffer
			must(gob.NewEncoder(&out).Encode([][]byte{s.noise(20), s.raw}))
			return out.Bytes()
		}),
		file("gob-strings", 3, "gob", func(s *scene) []byte {
			var out bytes.Buffer
			must(gob.NewEncoder(&out).Encode(chunks(s.hex, 4)))
			return out.Bytes()
		}),
		file("protobuf", 1, "pb", func(s *scene) []byte { return field(3, append(field(1, []byte(s.word())), field(2, s.raw)...)) }),
		file("protobuf-repeated", 3, "pb", func(s *scene) []byte {
			var out []byte
			for i, c := range chunks(s.hex, 4) {
				out = append(out, field(2, append([]byte{8, byte(i + 1)}, field(2, []byte(c))...))...)
			}
			return out
		}),
		file("protobuf-varints", 3, "pb", func(s *scene) []byte {
			var out []byte
			for _, c := range s.raw {
				out = binary.AppendUvarint(append(out, 8), uint64(c))
			}
			return out
		}),
		file("protobuf-packed", 2, "pb", func(s *scene) []byte {
			var out []byte
			for _, c := range s.raw {
				out = binary.AppendUvarint(out, uint64(c))
			}
			return field(4, out)
		}),
		file("protobuf-fixed", 3, "pb", func(s *scene) []byte {
			var out []byte
			for i, c := range chunks(string(s.raw), 4) {
				out = append(append(out, byte((i+1)<<3|5)), c...)
			}
			return out
		}),
		file("messagepack", 1, "bin", func(s *scene) []byte { return append([]byte("\x82\xa1a\x01\xa1k\xd9\x20"), s.hex...) }),
		file("messagepack-array", 2, "bin", func(s *scene) []byte {
			out := []byte{0x81, 0xa1, 'k', 0xdc, 0, 16}
			for _, c := range s.raw {
				if c >= 0x80 {
					out = append(out, 0xcc)
				}
				out = append(out, c)
			}
			return out
		}),
		file("cbor-array", 2, "bin", func(s *scene) []byte {
			out := []byte{0xa1, 0x61, 'k', 0x90}
			for _, c := range s.raw {
				if c >= 24 {
					out = append(out, 0x18)
				}
				out = append(out, c)
			}
			return out
		}),
		file("cbor-chunks", 3, "bin", func(s *scene) []byte {
			out := []byte{0xa1, 0x61, 'k', 0x5f}
			for _, c := range chunks(string(s.raw), 4) {
				out = append(append(out, 0x44), c...)
			}
			return append(out, 0xff)
		}),
		file("bson", 1, "bson", func(s *scene) []byte {
			return append(header("\x31\x00\x00\x00\x05k\x00\x10\x00\x00\x00\x04"), string(s.raw)+"\x00"...)
		}),
		file("property-list", 1, "plist", func(s *scene) []byte {
			return []byte("<?xml version=\"1.0\"?>\n<plist><dict><key>k</key><data>\n\t" + b64(s.raw) + "\n</data></dict></plist>\n")
		}),
		file("property-list-integers", 2, "plist", func(s *scene) []byte {
			return []byte("<plist><array>" + each("<integer>%d</integer>", "\n")(s.raw) + "</array></plist>\n")
		}),
		file("java-class", 1, "class", func(s *scene) []byte {
			return append([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x34\x00\x05\x01\x00\x20"), s.hex+"\x07\x00\x01"...)
		}),
		file("wasm-section", 1, "wasm", func(s *scene) []byte { return append([]byte("\x00asm\x01\x00\x00\x00\x00\x15\x04note"), s.raw...) }),
		file("pickle", 1, "pkl", func(s *scene) []byte {
			return append([]byte("\x80\x04\x95\x25\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01k\x94C\x10"), string(s.raw)+"\x94s."...)
		}),
		file("pickle-text", 2, "pkl", func(s *scene) []byte { return []byte("(dp0\nVk\np1\n(lp2\n" + each("I%d\na", "")(s.raw) + "s.") }),
		file("elf-note", 1, "elf", func(s *scene) []byte {
			return append([]byte("\x7fELF\x02\x01\x01\x00"), s.amidBinary(append([]byte("\x04\x00\x00\x00\x10\x00\x00\x00\x03\x00\x00\x00GNU\x00"), s.raw...))...)
		}),
		file("program-moves", 3, "bin", func(s *scene) []byte {
			var code []byte
			for i, c := range []byte(s.hex) {
				code = append(code, 0xc6, 0x44, 0x24, byte(i), c)
			}
			return s.amidBinary(code)
		}),
		file("program-moves-words", 3, "bin", func(s *scene) []byte {
			var code []byte
			for i, c := range chunks(s.hex, 4) {
				code = append(append(code, 0xc7, 0x44, 0x24, byte(4*i)), c...)
			}
			return s.amidBinary(code)
		}),
		file("gettext", 1, "mo", func(s *scene) []byte {
			return append(header("\xde\x12\x04\x95", 0, 1, 28, 36, 0, 0, 5, 44, 32, 50), "hello\x00"+s.hex+"\x00"...)
		}),
		file("avro", 2, "avro", func(s *scene) []byte {
			b := deflated(s.story())
			return append(append([]byte("Obj\x01\x04\x14avro.codec\x0edeflate\x00"), s.noise(16)...), append(binary.AppendVarint([]byte{2}, int64(len(b))), b...)...)
		}),
		file("ini-parts", 3, "ini", func(s *scene) []byte {
			out := "[main]\n"
			for i, c := range chunks(s.hex, 8) {
				out += fmt.Sprintf("key%d = %s\n", i+1, c)
			}
			return []byte(out)
		}),
		file("makefile-parts", 3, "mk", func(s *scene) []byte {
			c := chunks(s.hex, 8)
			return fmt.Appendf(nil, "A := %s\nB := %s\nC := %s\nD := %s\nall:\n\techo $(A)$(B)$(C)$(D)\n", c[0], c[1], c[2], c[3])
		}),
		file("geojson", 4, "geojson", func(s *scene) []byte {
			return []byte(`{"type":"LineString","coordinates":[` + grouped(2, false, "[%d,1]", ",")(s.raw) + `]}`)
		}),
		file("font-name", 2, "ttf", func(s *scene) []byte {
			return append(header("\x00\x01\x00\x00", 1), append([]byte("name"), spread(s.hex, 2, binary.BigEndian)...)...)
		}),
		file("png-text-half", 1, "png", func(s *scene) []byte { return pngWith(s, "tEXt", []byte("Comment\x00"+s.hex[:16])) }).as(Partial),
		file("pdf-info-half", 1, "pdf", func(s *scene) []byte { return pdf(s, "<< /Title ("+s.hex[10:26]+") >>") }).as(Partial),
	}, append(databases(), certificates()...)...)
}

func pdf(s *scene, info string) []byte {
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n3 0 obj\n%s\nendobj\n4 0 obj\n(%s)\nendobj\ntrailer << /Root 1 0 R /Info 3 0 R >>\n%%%%EOF\n", info, s.prose(2))
}

func pdfStream(s *scene, filter string, body []byte) []byte {
	return pdf(s, fmt.Sprintf("<< /Length %d /Filter %s >>\nstream\n%s\nendstream", len(body), filter, body))
}

// office is a zip with one part that matters.
func office(name string, tier int, ext string, part func(*scene) string) trick {
	return file(name, tier, ext, func(s *scene) []byte {
		return zipped(zip.Deflate, "", []entry{
			{name: "[Content_Types].xml", body: []byte(`<?xml version="1.0"?><Types/>`)},
			{name: "word/document.xml", body: []byte(`<?xml version="1.0"?>` + part(s))},
			{name: "docProps/app.xml", body: []byte("<Properties><Pages>1</Pages></Properties>")},
		})
	})
}

// field is one of protobuf, of bytes.
func field(number byte, b []byte) []byte {
	return append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(b))), b...)
}

func quoted(text string) string { return string(must1(json.Marshal(text))) }
