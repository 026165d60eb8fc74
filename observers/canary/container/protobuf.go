package container

import (
	"encoding/binary"
	"strconv"

	"postern/observers/canary/layer"
)

const Protobuf layer.Technique = "protobuf"

// readProtobufStream reads a message, or messages with their lengths before them.
func readProtobufStream(l *leaves, b []byte) bool {
	if protobufValid(b, 0) {
		protobufLeaves(l, b, "", 0)
		return true
	}
	var parts [][]byte
	for len(b) > 0 {
		n, k := binary.Uvarint(b)
		if k <= 0 || n == 0 || n > uint64(len(b)-k) || !protobufValid(b[k:k+int(n)], 0) {
			return false
		}
		parts = append(parts, b[k:k+int(n)])
		b = b[k+int(n):]
	}
	for _, p := range parts {
		protobufLeaves(l, p, "", 0)
	}
	return len(parts) > 1
}

func readProtobuf(l *leaves, b []byte) bool {
	if !protobufValid(b, 0) {
		return false
	}
	protobufLeaves(l, b, "", 0)
	return true
}

// protobufField is one field of a message.
type protobufField struct {
	number, kind int
	num          uint64
	body         []byte
}

// nextField reads one; n is 0 where there is none.
func nextField(b []byte) (f protobufField, n int) {
	key, k := binary.Uvarint(b)
	if k <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
		return f, 0
	}
	f.number, f.kind = int(key>>3), int(key&7)
	switch f.kind {
	case 0:
		v, m := binary.Uvarint(b[k:])
		f.num = v
		if m <= 0 {
			return f, 0
		}
		return f, k + m
	case 1, 5:
		size := 8 >> (f.kind >> 2)
		if k+size > len(b) {
			return f, 0
		}
		f.body = b[k : k+size]
		return f, k + size
	case 2:
		size, m := binary.Uvarint(b[k:])
		if m <= 0 || size > uint64(len(b)-k-m) {
			return f, 0
		}
		f.body = b[k+m : k+m+int(size)]
		return f, k + m + int(size)
	case 3, 4: // groups, of old
		return f, k
	}
	return f, 0
}

// protobufValid asks whether b is fields from beginning to end.
func protobufValid(b []byte, depth int) bool {
	for len(b) > 0 {
		_, n := nextField(b)
		if n == 0 {
			return false
		}
		b = b[n:]
	}
	return depth < recordDepth
}

func protobufLeaves(l *leaves, b []byte, path string, depth int) {
	for len(b) > 0 && !l.bad {
		f, n := nextField(b)
		if n == 0 {
			return
		}
		b = b[n:]
		name := path + "." + strconv.Itoa(f.number)
		switch {
		case f.kind == 0:
			l.num(name, f.num)
		case f.kind == 2:
			l.text(name, f.body)
			if len(f.body) > 1 && depth < recordDepth && protobufValid(f.body, depth) {
				protobufLeaves(l, f.body, name, depth+1)
			}
			protobufPacked(l, f.body, name+"p")
		case len(f.body) > 0:
			l.text(name, f.body)
			l.num(name+"n", uint64(little(f.body, 0, 4)))
		}
	}
}

// protobufPacked reads a repeated number, if it is one.
func protobufPacked(l *leaves, b []byte, name string) {
	var nums []uint64
	wide := false
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return
		}
		wide = wide || n > 1
		nums = append(nums, v)
		b = b[n:]
	}
	for _, v := range nums {
		if wide { // otherwise they stand there as they are
			l.num(name, v)
		}
	}
}
