package container

import (
	"encoding/binary"
	"testing"

	"postern/observers/canary/layer"
)

// parts are the needle in pieces of four bytes.
func parts() (all []string) {
	for n := 0; n < len(needle); n += 4 {
		all = append(all, needle[n:n+4])
	}
	return all
}

func TestTheSameFieldOfRecordsIsJoined(t *testing.T) {
	var proto, msgpack, cbor, chunks, bson, der []byte
	msgpack = append(msgpack, 0xdc, 0, 11)
	cbor = append(cbor, 0x8b)
	chunks = append(chunks, 0x5f)
	for i, p := range parts() {
		proto = append(append(proto, 10, 8, 8, byte(i+1), 18, 4), p...)
		msgpack = append(append(msgpack, 0x82, 0xa1, 'n', byte(i), 0xa1, 'v', 0xc4, 4), p...)
		cbor = append(append(cbor, 0xa2, 0x61, 'n', byte(i), 0x61, 'v', 0x44), p...)
		chunks = append(append(chunks, 0x44), p...)
		doc := append([]byte{2, 'v', 0, 5, 0, 0, 0}, p...)
		bson = append(append(append(bson, byte(len(doc)+6), 0, 0, 0), doc...), 0, 0)
		der = append(append(der, 4, 4), p...)
	}
	der = append([]byte{0x24, byte(len(der))}, der...)
	for technique, b := range map[layer.Technique][]byte{Protobuf: proto, Msgpack: msgpack, Cbor: cbor, Bson: bson, Der: der} {
		wantShown(t, b, technique, needle)
	}
	wantShown(t, append(chunks, 0xff), Cbor, needle)
}

func TestNumbersOfRecordsBecomeBytes(t *testing.T) {
	var proto []byte
	for i := range len(needle) / 2 {
		proto = binary.AppendUvarint(append(proto, 8), uint64(binary.BigEndian.Uint16([]byte(needle[2*i:]))))
	}
	wantShown(t, proto, Protobuf, needle)
}

// The name of the format alone, as in the source of a reader, hides no list that
// stands behind it.
func TestANameOfAPropertyListHidesNone(t *testing.T) {
	list := []byte("bplist00")
	for _, p := range parts() {
		list = append(append(list, 0x5f, 0x10, byte(len(p))), p...)
	}
	for _, before := range []string{"", "kind{\"bplist00\", open: openPlist}, // ", "bplist00opened, and much more text than that one name of a format: "} {
		wantShown(t, append([]byte(before), list...), Plist, needle)
	}
}
