package scan_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// small stages stand in for the real ones: what is tested here is how the
// search treats any stage.
func small() []scan.Part {
	return []scan.Part{
		{Stage: layer.Stage{Technique: "gzip", Open: gunzip}, Kind: scan.Opens},
		{Stage: layer.Stage{Technique: "base64", Open: runs(40, isBase64, decode64)}},
		{Stage: layer.Stage{Technique: "hex", Open: runs(32, isHex, decodeHex)}},
		{Stage: layer.Stage{Technique: "reversed", Open: reverse}, Kind: scan.Selects},
	}
}

// gunzip opens every member, and is not fair: the first bomb takes all room.
func gunzip(b []byte, room *layer.Room, yield func(layer.View) bool) {
	magic := []byte{0x1f, 0x8b, 8}
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], magic)
		if i < 0 {
			return
		}
		at += i
		r, err := gzip.NewReader(bytes.NewReader(b[at:]))
		if err != nil {
			continue
		}
		r.Multistream(false)
		left := room.Left()
		out, err := io.ReadAll(io.LimitReader(r, int64(left)+1))
		if err != nil || len(out) > left {
			room.Spend()
		}
		out = out[:min(len(out), left)]
		room.Take(len(out))
		if len(out) > 0 && !yield(layer.View{Technique: "gzip", Offset: at, Bytes: out}) || room.Left() == 0 {
			return
		}
	}
}

// runs decodes each run of some characters.
func runs(least int, of func(byte) bool, decode func([]byte) []byte) func([]byte, *layer.Room, func(layer.View) bool) {
	return func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		for at := 0; at < len(b); at++ {
			end := at
			for end < len(b) && of(b[end]) {
				end++
			}
			if end-at >= least {
				out := decode(b[at:end])
				if !room.Take(len(out)) || !yield(layer.View{Technique: "run", Offset: at, Bytes: out}) {
					return
				}
			}
			at = end
		}
	}
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

func isBase64(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '+' || c == '/'
}

func decode64(b []byte) []byte {
	if len(b)%4 == 1 {
		b = b[:len(b)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(string(b))
	return out
}

func decodeHex(b []byte) []byte {
	out, _ := hex.DecodeString(string(b[:len(b)&^1]))
	return out
}

func reverse(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if !room.Take(len(b)) {
		return
	}
	out := bytes.Clone(b)
	slices.Reverse(out)
	yield(layer.View{Technique: "reversed", Bytes: out})
}

func zip(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func to64(b []byte) []byte  { return []byte(base64.RawStdEncoding.EncodeToString(b)) }
func toHex(b []byte) []byte { return []byte(hex.EncodeToString(b)) }
