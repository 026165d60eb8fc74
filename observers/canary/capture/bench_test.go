package capture

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"postern/observers/canary/layer"
)

// uninteresting is what most bytes are: noise, zeros with noise, prose, and code.
func uninteresting(size int) map[string][]byte {
	r := rand.New(rand.NewPCG(2, 2))
	noise, sparse := make([]byte, size), make([]byte, size)
	for i := range noise {
		if noise[i] = byte(r.Uint32()); r.IntN(4) == 0 {
			sparse[i] = byte(r.IntN(8))
		}
	}
	prose := bytes.Repeat([]byte("It was on a dreary night of November that I beheld the accomplishment of my toils. With an anxiety\nthat almost amounted to agony, I collected the instruments of life around me.\n"), size/170)
	var code bytes.Buffer
	for k := 0; code.Len() < size; k++ {
		fmt.Fprintf(&code, "\tif v%d, err := strings.Cut(x.field, \"=\"); err != nil {\n\t\treturn fmt.Errorf(\"step %d: %%w\", err)\n\t}\n", k, k)
	}
	return map[string][]byte{"noise": noise, "sparse": sparse, "prose": prose[:size/170*170], "code": code.Bytes()}
}

// BenchmarkReject is how fast each stage leaves what is not its own.
func BenchmarkReject(b *testing.B) {
	for name, data := range uninteresting(8 << 20) {
		for _, s := range Stages() {
			b.Run(name+"/"+string(s.Technique), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					s.Open(data, layer.NewRoom(1<<20), func(layer.View) bool { return true })
				}
			})
		}
	}
}

// BenchmarkCapture is a capture of many flows, without bound on its views.
func BenchmarkCapture(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	w := newWire(1)
	for k := 0; w.Len() < 8<<20; k++ {
		pay := make([]byte, 200+r.IntN(1000))
		for i := range pay {
			pay[i] = byte(r.Uint32())
		}
		w.tcp(segment{sport: uint16(40000 + k%50), dport: 443, seq: uint32(k / 50 * 1200), flags: 16, pay: pay})
	}
	b.SetBytes(int64(w.Len()))
	for b.Loop() {
		Stages()[0].Open(w.Bytes(), layer.NewRoom(64<<10+2*w.Len()), func(layer.View) bool { return true })
	}
}
