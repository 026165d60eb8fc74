package record

import (
	"bytes"

	"postern/observers/canary/layer"
)

// framings undo what is exactly defined: each is certain of its input before
// it yields.
func framings() []layer.Stage {
	var all []layer.Stage
	for _, f := range []struct {
		technique layer.Technique
		unframe   func([]byte) *flows
	}{
		{"docker-log", dockerLog},
		{"container-log", containerLog},
		{"docker-stream", dockerStream},
		{"chunked", chunked},
		{"websocket", webSocket},
		{"http2-data", http2Data},
		{"multipart", multipart},
		{"counted-text", countedText},
		{"journal-export", journalExport},
		{"gelf-chunks", gelfChunks},
		{"length-prefixed", lengthPrefixed},
	} {
		all = append(all, framing(f.technique, f.unframe))
	}
	return all
}

// framing yields what each flow carried, then all together.
func framing(t layer.Technique, unframe func([]byte) *flows) layer.Stage {
	return layer.Stage{Technique: t, Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		f := unframe(b)
		if f == nil {
			return
		}
		o := newOut(t, len(b), room, yield)
		o.left = 4*len(b) + large
		for _, l := range f.list {
			if !o.give(l.off, l.s) {
				return
			}
		}
	}}
}

const flowsMost = 32

// flows collects payloads under keys; past the last key, under that.
type flows struct {
	at   map[uint64]int
	list []line
}

func newFlows() *flows { return &flows{at: map[uint64]int{}} }

func (f *flows) add(key uint64, off int, s []byte) {
	i, ok := f.at[key]
	if !ok {
		i = min(len(f.list), flowsMost)
		f.at[key] = i
		if i == len(f.list) {
			f.list = append(f.list, line{off: off})
		}
	}
	f.list[i].s = append(f.list[i].s, s...)
}

// bodies are the places where a framed body can begin: the start, and after
// the first few heads of messages.
func bodies(b []byte) []int {
	list := []int{0}
	for i := 0; len(list) < 5; {
		n := bytes.Index(b[i:min(len(b), i+large/16)], []byte("\r\n\r\n"))
		if n < 0 {
			break
		}
		i += n + 4
		list = append(list, i)
	}
	return list
}

// firstBody is what try makes of the first body that it accepts.
func firstBody(b []byte, try func([]byte) *flows) *flows {
	for _, i := range bodies(b) {
		if f := try(b[i:]); f != nil {
			for k := range f.list {
				f.list[k].off += i
			}
			return f
		}
	}
	return nil
}
