package corpus

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rc4"
	"crypto/sha256"
	"fmt"
	"math/bits"
	"slices"
)

func bitOperations() []trick {
	return []trick{
		changed("xor-5a", 2, func(_ int, c byte) byte { return c ^ 0x5a }),
		changed("xor-ff", 1, func(_ int, c byte) byte { return ^c }),
		changed("xor-80", 1, func(_ int, c byte) byte { return c ^ 0x80 }),
		changedDigits("xor-digits-5a", 2, func(_ int, c byte) byte { return c ^ 0x5a }),
		changedDigits("xor-digits-20", 2, func(_ int, c byte) byte { return c ^ 0x20 }),
		changedDigits("not-digits", 1, func(_ int, c byte) byte { return ^c }),
		blob("xor-random", 2, func(s *scene) []byte {
			key := byte(1 + s.IntN(255))
			return altered(s.raw, func(_ int, c byte) byte { return c ^ key })
		}),
		keyedBy("xor-key-2", 2, 2), keyedBy("xor-key-3", 3, 3), keyedBy("xor-key-4", 2, 4), keyedBy("xor-key-8", 3, 8),
		blob("xor-key-before", 3, func(s *scene) []byte {
			key := s.noise(16)
			return append(key, altered(s.raw, func(i int, c byte) byte { return c ^ key[i] })...)
		}),
		text("xor-key-hex-lines", 4, func(s *scene) string {
			key := s.noise(16)
			return fmt.Sprintf("%x\n%s\n%x", key, s.prose(3), altered(s.raw, func(i int, c byte) byte { return c ^ key[i] }))
		}),
		blob("whole-text-xor", 2, func(s *scene) []byte {
			return altered([]byte(s.prose(2)+s.hex+s.prose(1)), func(_ int, c byte) byte { return c ^ 0x37 })
		}),
		blob("whole-text-key-word", 3, func(s *scene) []byte {
			return altered([]byte(s.prose(2)+s.hex+s.prose(1)), func(i int, c byte) byte { return c ^ "key!"[i%4] })
		}),
		changed("xor-index", 2, func(i int, c byte) byte { return c ^ byte(i) }),
		changedDigits("xor-index-digits", 2, func(i int, c byte) byte { return c ^ byte(i) }),
		changed("add-7", 2, func(_ int, c byte) byte { return c + 7 }),
		changed("subtract-13", 2, func(_ int, c byte) byte { return c - 13 }),
		changedDigits("add-1-digits", 2, func(_ int, c byte) byte { return c + 1 }),
		changedDigits("add-100-digits", 2, func(_ int, c byte) byte { return c + 100 }),
		changed("add-index", 3, func(i int, c byte) byte { return c + byte(i) }),
		changedDigits("add-index-3", 3, func(i int, c byte) byte { return c + byte(3*i) }),
		changed("negated", 2, func(_ int, c byte) byte { return -c }),
		changed("nibbles-swapped", 1, func(_ int, c byte) byte { return c<<4 | c>>4 }),
		changedDigits("nibbles-swapped-digits", 1, func(_ int, c byte) byte { return c<<4 | c>>4 }),
		changed("bits-reversed", 1, func(_ int, c byte) byte { return bits.Reverse8(c) }),
		changedDigits("bits-reversed-digits", 1, func(_ int, c byte) byte { return bits.Reverse8(c) }),
		changed("rotated-1", 2, func(_ int, c byte) byte { return bits.RotateLeft8(c, 1) }),
		changed("rotated-3", 2, func(_ int, c byte) byte { return bits.RotateLeft8(c, 3) }),
		changedDigits("rotated-5-digits", 2, func(_ int, c byte) byte { return bits.RotateLeft8(c, 5) }),
		changed("gray", 2, func(_ int, c byte) byte { return c ^ c>>1 }),
		changedDigits("gray-digits", 2, func(_ int, c byte) byte { return c ^ c>>1 }),
		changed("times-odd", 3, func(_ int, c byte) byte { return c * 7 }),
		changedDigits("affine-digits", 3, func(_ int, c byte) byte { return c*5 + 17 }),
		changedDigits("doubled-value-digits", 2, func(_ int, c byte) byte { return c << 1 }),
		blob("substitution-box", 4, func(s *scene) []byte {
			box := s.Perm(256)
			return altered([]byte(s.hex), func(_ int, c byte) byte { return byte(box[c]) })
		}),
		blob("xor-previous", 2, func(s *scene) []byte {
			return chained(s.raw, func(before, c byte) (byte, byte) { return c ^ before, c })
		}),
		blob("xor-feedback", 2, func(s *scene) []byte {
			return chained(s.raw, func(before, c byte) (byte, byte) { return c ^ before, c ^ before })
		}),
		blob("difference", 2, func(s *scene) []byte {
			return chained(s.raw, func(before, c byte) (byte, byte) { return c - before, c })
		}),
		blob("difference-digits", 2, func(s *scene) []byte {
			return chained([]byte(s.hex), func(before, c byte) (byte, byte) { return c - before, c })
		}),
		blob("sum", 2, func(s *scene) []byte {
			return chained(s.raw, func(before, c byte) (byte, byte) { return c + before, c + before })
		}),
		blob("sum-digits", 2, func(s *scene) []byte {
			return chained([]byte(s.hex), func(before, c byte) (byte, byte) { return c + before, c + before })
		}),
		blob("swap-16", 2, func(s *scene) []byte { return turned(s.raw, 2) }),
		blob("swap-32", 2, func(s *scene) []byte { return turned(s.raw, 4) }),
		blob("swap-64", 2, func(s *scene) []byte { return turned(s.raw, 8) }),
		blob("swap-16-digits", 2, func(s *scene) []byte { return turned([]byte(s.hex), 2) }),
		blob("swap-32-digits", 2, func(s *scene) []byte { return turned([]byte(s.hex), 4) }),
		moved("moved-1", 1), moved("moved-3", 3), moved("moved-4", 4), moved("moved-7", 7),
		blob("moved-digits-5", 2, func(s *scene) []byte { return shiftedBits([]byte(s.hex), 5) }),
		blob("zero-between", 2, func(s *scene) []byte { return strided(s.raw, 2, func() byte { return 0 }) }),
		blob("noise-between", 3, func(s *scene) []byte { return strided(s.raw, 2, s.byte) }),
		blob("digits-noise-between", 3, func(s *scene) []byte { return strided([]byte(s.hex), 2, s.byte) }),
		blob("every-fourth", 3, func(s *scene) []byte { return strided([]byte(s.hex), 4, s.byte) }),
		blob("every-seventh", 3, func(s *scene) []byte { return strided([]byte(s.hex), 7, s.byte) }),
		blob("doubled", 2, func(s *scene) []byte { return twice(s.raw) }),
		blob("tripled-digits", 2, func(s *scene) []byte {
			return []byte(each("%[1]c%[1]c%[1]c", "")([]byte(s.hex)))
		}),
		blob("nibbles", 2, func(s *scene) []byte { return nibbles(s.raw) }),
		blob("nibbles-high", 2, func(s *scene) []byte {
			return altered(nibbles(s.raw), func(_ int, c byte) byte { return c << 4 })
		}),
		blob("nibbles-noise-above", 3, func(s *scene) []byte {
			return altered(nibbles(s.raw), func(_ int, c byte) byte { return c | s.byte()<<4 })
		}),
		blob("bits", 2, func(s *scene) []byte { return splitBits(s.raw) }),
		blob("bits-lowest-noise-above", 3, func(s *scene) []byte {
			return altered(splitBits(s.raw), func(_ int, c byte) byte { return c | s.byte()<<1 })
		}),
		blob("bits-highest-noise-below", 3, func(s *scene) []byte {
			return altered(splitBits(s.raw), func(_ int, c byte) byte { return c<<7 | s.byte()>>1 })
		}),
		blob("manchester", 3, func(s *scene) []byte {
			var out []byte
			for _, b := range splitBits(s.raw) {
				out = append(out, b, 1-b)
			}
			return pack(out)
		}),
		blob("bit-planes", 3, func(s *scene) []byte {
			var out []byte
			for plane := range 8 {
				for _, c := range s.raw {
					out = append(out, c>>(7-plane)&1)
				}
			}
			return pack(out)
		}),
		blob("high-nibbles-then-low", 3, func(s *scene) []byte {
			n := nibbles(s.raw)
			var out []byte
			for i := 0; i < 32; i += 4 {
				out = append(out, n[i]<<4|n[i+2])
			}
			for i := 1; i < 32; i += 4 {
				out = append(out, n[i]<<4|n[i+2])
			}
			return out
		}),
		blob("hamming-7-4", 4, func(s *scene) []byte {
			var out []byte
			for _, n := range nibbles(s.raw) {
				a, b, c, d := n>>3&1, n>>2&1, n>>1&1, n&1
				out = append(out, a^b^d, a^c^d, a, b^c^d, b, c, d)
			}
			return pack(out)
		}),
		blob("stuffed-fives", 4, func(s *scene) []byte {
			var out []byte
			run := 0
			for _, b := range splitBits(s.raw) {
				out = append(out, b)
				if run = (run + 1) * int(b); run == 5 {
					out, run = append(out, 0), 0
				}
			}
			return pack(out)
		}),
		blob("interleaved-halves", 3, func(s *scene) []byte {
			var out []byte
			for i := range 8 {
				out = append(out, s.raw[i], s.raw[8+i])
			}
			return out
		}),
		blob("half-xor", 2, func(s *scene) []byte {
			return altered(s.raw[:10], func(_ int, c byte) byte { return c ^ 0x41 })
		}).as(Partial),
		blob("half-digits-not", 2, func(s *scene) []byte {
			return altered([]byte(s.hex[:20]), func(_ int, c byte) byte { return ^c })
		}).as(Partial),
		blob("rc4", 3, func(s *scene) []byte {
			c, out := must1(rc4.NewCipher(s.noise(16))), make([]byte, 32)
			c.XORKeyStream(out, []byte(s.hex))
			return out
		}).as(Keyed),
		blob("aes", 3, func(s *scene) []byte {
			block, out := must1(aes.NewCipher(s.noise(16))), make([]byte, 32)
			cipher.NewCTR(block, s.noise(16)).XORKeyStream(out, []byte(s.hex))
			return out
		}).as(Keyed),
		blob("one-time-pad", 3, func(s *scene) []byte {
			return altered(s.raw, func(_ int, c byte) byte { return c ^ s.byte() })
		}).as(Keyed),
		text("sha-256", 1, func(s *scene) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s.hex))) }).as(Destroyed),
		blob("low-bits-only", 3, func(s *scene) []byte {
			return altered(s.raw, func(_ int, c byte) byte { return c&1 | s.byte()<<1 })
		}).as(Destroyed),
	}
}

func (s *scene) byte() byte { return byte(s.Uint32()) }

func changed(name string, tier int, f func(int, byte) byte) trick {
	return blob(name, tier, func(s *scene) []byte { return altered(s.raw, f) })
}

func changedDigits(name string, tier int, f func(int, byte) byte) trick {
	return blob(name, tier, func(s *scene) []byte { return altered([]byte(s.hex), f) })
}

// keyedBy repeats a random key of n bytes over the digits.
func keyedBy(name string, tier, n int) trick {
	return blob(name, tier, func(s *scene) []byte {
		key := s.noise(n)
		return altered([]byte(s.hex), func(i int, c byte) byte { return c ^ key[i%n] })
	})
}

// chained gives each byte what the step before kept.
func chained(b []byte, step func(before, c byte) (out, keep byte)) []byte {
	var before byte
	return altered(b, func(_ int, c byte) byte {
		out, keep := step(before, c)
		before = keep
		return out
	})
}

func turned(b []byte, n int) []byte {
	var out []byte
	for c := range slices.Chunk(b, n) {
		out = append(out, reversedBytes(c)...)
	}
	return out
}

func moved(name string, by int) trick {
	return blob(name, 2, func(s *scene) []byte { return shiftedBits(s.raw, by) })
}

// shiftedBits begins within a byte.
func shiftedBits(b []byte, by int) []byte {
	return pack(append(slices.Repeat([]byte{1}, by), splitBits(b)...))
}

// strided puts each byte at the head of n.
func strided(b []byte, n int, fill func() byte) []byte {
	var out []byte
	for _, c := range b {
		out = append(out, c)
		for range n - 1 {
			out = append(out, fill())
		}
	}
	return out
}
