package algebra_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	"postern/observers/canary/algebra"
	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

func absent(n int) []secret.Secret {
	var out []secret.Secret
	for i := range n {
		out = append(out, random(uint64(9000+i)).Secret)
	}
	return out
}

// materials are what the reject path is measured on.
func materials(n int) map[string][]byte {
	digits := []byte(hex.EncodeToString(noise(3, n/2)))
	for i := 64; i < len(digits); i += 65 {
		digits[i] = '\n'
	}
	mixed := bytes.Join([][]byte{noise(1, n/4), []byte(prose(2, n/6))[:n/4], digits[:n/4], make([]byte, n/4)}, nil)
	return map[string][]byte{"noise": noise(1, n), "prose": []byte(prose(2, n/3))[:n], "digits": digits, "mixed": mixed}
}

func BenchmarkReject(b *testing.B) {
	for _, secrets := range []int{1, 100} {
		f := algebra.New(absent(secrets))
		for _, size := range []int{8 << 10, 64 << 10, 1 << 20, 4 << 20, 20 << 20} {
			for _, name := range []string{"noise", "prose", "digits", "mixed"} {
				in := materials(size)[name]
				b.Run(fmt.Sprintf("secrets=%d/size=%dK/%s", secrets, size>>10, name), func(b *testing.B) {
					b.SetBytes(int64(len(in)))
					for b.Loop() {
						f.Find(in, func(m layer.Match) bool { b.Error(m); return false })
					}
				})
			}
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1, 100} {
		secrets := absent(n)
		b.Run(fmt.Sprint("secrets=", n), func(b *testing.B) {
			for b.Loop() {
				algebra.New(secrets)
			}
		})
	}
}
