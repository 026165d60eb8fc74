package container

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	pngfile "image/png"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"postern/observers/canary/layer"
)

// picture is of random colours, whose lowest bits the caller sets.
func picture(set func(n, channel int, v uint8) uint8) *image.NRGBA {
	const side = 40
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	copy(img.Pix, noise(len(img.Pix), 9))
	for n := range side * side {
		p := img.Pix[4*n : 4*n+4]
		p[3] |= 0x80
		for k := range p {
			p[k] = set(n, k, p[k])
		}
	}
	return img
}

// bit is a bit of the needle, the first as the highest of its byte.
func bit(n int) uint8 {
	if n/8 >= len(needle) {
		return 0
	}
	return needle[n/8] >> (7 - n%8) & 1
}

// stego are ways of putting the needle into the lowest bits.
var stego = map[string]func(n, k int, v uint8) uint8{
	"red, green and blue": func(n, k int, v uint8) uint8 {
		if k == 3 {
			return v
		}
		return v&^1 | bit(3*n+k)
	},
	"green alone": func(n, k int, v uint8) uint8 {
		if k != 1 {
			return v
		}
		return v&^1 | bit(n)
	},
	"blue first": func(n, k int, v uint8) uint8 {
		if k == 3 {
			return v
		}
		return v&^1 | bit(3*n+2-k)
	},
	"all four": func(n, k int, v uint8) uint8 { return v&^1 | bit(4*n+k) },
}

func TestTheLowestBitsOfAPictureAreRead(t *testing.T) {
	for name, set := range stego {
		var buf bytes.Buffer
		if err := pngfile.Encode(&buf, picture(set)); err != nil {
			t.Fatal(err)
		}
		if !shows(around(buf.Bytes()), Png, needle) {
			t.Errorf("png, %s: not shown", name)
		}
	}
}

func TestOtherPicturesAreDecodedToPixels(t *testing.T) {
	opaque := picture(func(n, k int, v uint8) uint8 {
		if k == 3 {
			return 255
		}
		return v&^1 | bit(3*n+k)
	})
	var b, d, u bytes.Buffer
	bmp.Encode(&b, opaque)
	tiff.Encode(&d, opaque, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	tiff.Encode(&u, opaque, nil)
	ppm := []byte("P6\n# made here\n40 40\n255\n")
	for n := range 1600 {
		ppm = append(ppm, opaque.Pix[4*n:4*n+3]...)
	}
	for technique, file := range map[layer.Technique][]byte{Tiff: d.Bytes(), Netpbm: ppm} {
		wantShown(t, file, technique, needle)
		wantShown(t, around(file), technique, needle)
	}
	wantShown(t, u.Bytes(), Tiff, needle)
	upside := image.NewNRGBA(opaque.Rect)
	for n := range 1600 { // bmp stores blue first
		copy(upside.Pix[4*n:], []uint8{opaque.Pix[4*n+2], opaque.Pix[4*n+1], opaque.Pix[4*n], 255})
	}
	b.Reset()
	bmp.Encode(&b, upside)
	wantShown(t, b.Bytes(), Bmp, needle)
}

func TestGifFramesAndCommentsAreDecoded(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 40, 40), nil)
	for i := range 256 {
		img.Palette = append(img.Palette, color.Gray{uint8(i)})
	}
	for n := range img.Pix {
		img.Pix[n] = needle[n%len(needle)]
	}
	var buf bytes.Buffer
	if err := gif.Encode(&buf, img, nil); err != nil {
		t.Fatal(err)
	}
	wantShown(t, around(buf.Bytes()), Gif, needle)
	split := append([]byte("!\xfe\x0a"), needle[:10]...)
	split = append(append(split, byte(len(needle)-10)), needle[10:]...)
	clear(img.Pix)
	buf.Reset()
	gif.Encode(&buf, img, nil)
	b := buf.Bytes()
	b = append(append(bytes.Clone(b[:len(b)-1]), split...), 0, 0x3b)
	wantShown(t, b, Gif, needle)
}

func TestPngChunksAndTextsAreJoined(t *testing.T) {
	var buf bytes.Buffer
	pngfile.Encode(&buf, picture(func(_, _ int, v uint8) uint8 { return v }))
	b := buf.Bytes()[:33]
	for i := range 11 {
		b = binary.BigEndian.AppendUint32(b, 4)
		b = append(append(append(b, "caNy"...), needle[4*i:4*i+4]...), 0, 0, 0, 0)
	}
	wantShown(t, append(b, buf.Bytes()[33:]...), Png, needle)
}

func TestTheLowestBitsOfASoundAreRead(t *testing.T) {
	wav := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00\x88\x58\x01\x00\x02\x00\x10\x00data\xff\xff\xff\x7f")
	r := noise(2000, 5)
	for n := range 1000 {
		wav = append(wav, r[2*n]&^1|bit(n), r[2*n+1])
	}
	wantShown(t, wav, Riff, needle)
}

func TestTextThatNamesRiffIsNoSound(t *testing.T) {
	if shows([]byte("a file begins with RIFF, its length and WAVE; its chunks are named as well, and needle is none"), Riff, "needle") {
		t.Error("a chunk of text is shown")
	}
}

func TestAQoiPictureIsDecoded(t *testing.T) {
	b := append([]byte("qoif\x00\x00\x00\x28\x00\x00\x00\x28\x03\x00\xfe"), 100, 101, 102)
	prev := []byte{100, 101, 102}
	for n := range 1600 {
		next := []byte{prev[0]&^1 | bit(3*n), prev[1]&^1 | bit(3*n+1), prev[2]&^1 | bit(3*n+2)}
		if n == 0 {
			b, prev = b[:14], []byte{0, 0, 0}
			next = []byte{bit(0), bit(1), bit(2)}
		}
		b = append(b, 0x40|(next[0]-prev[0]+2)<<4|(next[1]-prev[1]+2)<<2|(next[2]-prev[2]+2))
		prev = next
	}
	wantShown(t, b, Qoi, needle)
}
