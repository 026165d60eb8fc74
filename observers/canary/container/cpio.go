package container

import (
	"bytes"
	"strconv"

	"postern/observers/canary/layer"
)

const (
	Cpio layer.Technique = "cpio"
	Ar   layer.Technique = "ar"
	Rpm  layer.Technique = "rpm"
)

// openCpio reads the portable format: thirteen numbers of eight hexadecimal digits.
func openCpio(w *work, i int) int {
	return w.cpio(i, 110, 4, 16, func(h []byte) (nums []uint64, name, size int) {
		for n := 6; n < 110; n += 8 {
			nums = append(nums, number(h[n:n+8], 16))
		}
		return nums, int(nums[11]), int(nums[6])
	})
}

// openCpioOld reads the octal format.
func openCpioOld(w *work, i int) int {
	return w.cpio(i, 76, 1, 8, func(h []byte) (nums []uint64, name, size int) {
		for _, f := range [][2]int{{6, 12}, {12, 18}, {18, 24}, {24, 30}, {30, 36}, {36, 42}, {42, 48}, {48, 59}, {59, 65}, {65, 76}} {
			nums = append(nums, number(h[f[0]:f[1]], 8))
		}
		return nums, int(nums[8]), int(nums[9])
	})
}

// cpio reads entries whose parts are aligned.
func (w *work) cpio(i, head, align, base int, read func(h []byte) (nums []uint64, name, size int)) int {
	var c columns
	at, magic := i, w.b[i:i+5]
	for at+head <= len(w.b) && bytes.HasPrefix(w.b[at:], magic) && c.next() && !w.done {
		nums, name, size := read(w.b[at : at+head])
		if name <= 0 || name > 1<<16 || size < 0 {
			break
		}
		nameEnd := min(at+head+name, len(w.b))
		data := min(i+(at-i+head+name+align-1)/align*align, len(w.b))
		end := min(data+size, len(w.b))
		c.text(0, cString(w.b[at+head:nameEnd]))
		c.text(1, w.b[data:end])
		for n, v := range nums {
			c.num(2+n, v)
		}
		w.part(Cpio, data, w.b[data:end])
		at = i + (end-i+align-1)/align*align
	}
	if c.rows > 0 {
		c.show(w, Cpio, i, true)
	}
	return at
}

// number is 0 for what is none.
func number(b []byte, base int) uint64 {
	v, _ := strconv.ParseUint(string(bytes.Trim(b, " \x00")), base, 31)
	return v
}

// openAr reads the members of a library, or of a Debian package.
func openAr(w *work, i int) int {
	var c columns
	at := i + 8
	for at+60 <= len(w.b) && string(w.b[at+58:at+60]) == "`\n" && c.next() && !w.done {
		h := w.b[at : at+60]
		end := min(at+60+int(number(h[48:58], 10)), len(w.b))
		c.text(0, bytes.TrimRight(h[:16], " /"))
		c.text(1, w.b[at+60:end])
		for n, f := range [][2]int{{16, 28}, {28, 34}, {34, 40}, {48, 58}} {
			c.num(2+n, number(h[f[0]:f[1]], 10))
		}
		w.part(Ar, at+60, w.b[at+60:end])
		at = end + (end-at)&1
	}
	c.show(w, Ar, i, true)
	return at
}

// openRpm leaves the payload to its own magic, and yields what is before it: a
// lead and headers, whose texts stand as they are.
func openRpm(w *work, i int) int {
	if i+96 > len(w.b) {
		return i
	}
	w.part(Rpm, i+96, w.b[i+96:])
	return i + 96
}
