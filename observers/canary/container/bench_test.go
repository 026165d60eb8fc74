package container

import (
	"testing"

	"postern/observers/canary/layer"
)

func benchmarkReject(b *testing.B, data []byte) {
	stages := Stages()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, s := range stages {
			s.Open(data, layer.NewRoom(64<<20), func(layer.View) bool { return true })
		}
	}
}

func BenchmarkRejectNoise(b *testing.B)    { benchmarkReject(b, noise(8<<20, 1)) }
func BenchmarkRejectText(b *testing.B)     { benchmarkReject(b, words(1<<20)) }
func BenchmarkRejectNoise64K(b *testing.B) { benchmarkReject(b, noise(64<<10, 1)) }
func BenchmarkRejectText64K(b *testing.B)  { benchmarkReject(b, words(11000)) }
func BenchmarkRejectText1K(b *testing.B)   { benchmarkReject(b, words(180)) }
