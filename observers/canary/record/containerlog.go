package record

import (
	"bytes"
	"encoding/binary"
)

// dockerLog joins the log members of json-file lines, stream by stream: long
// lines are parted at 16 KiB there (moby, daemon/logger/jsonfilelog).
func dockerLog(b []byte) *flows {
	start := bytes.TrimLeft(b[:min(len(b), 64)], " \r\n\t")
	if !bytes.HasPrefix(start, []byte(`{"log":`)) {
		return nil
	}
	f := newFlows()
	for _, l := range splitLines(b, '\n') {
		r := jsonReader{b: l.s, base: l.off}
		r.read()
		var log, stream cell
		for _, x := range r.leaves {
			switch string(x.key.val) {
			case "log":
				log = x.val
			case "stream":
				stream = x.val
			}
		}
		f.add(hash(hashSeed, stream.val, false), log.off, log.val)
	}
	return f
}

// containerLog joins CRI lines, "time stream P|F text", where P has no end of
// line (kubernetes, logging design).
func containerLog(b []byte) *flows {
	if len(b) < 24 || b[4] != '-' || b[7] != '-' || b[10] != 'T' {
		return nil
	}
	if head := b[:min(len(b), 64)]; !bytes.Contains(head, []byte(" stdout ")) && !bytes.Contains(head, []byte(" stderr ")) {
		return nil
	}
	f := newFlows()
	for _, l := range splitLines(b, '\n') {
		parts := bytes.SplitN(l.s, []byte{' '}, 4)
		if len(parts) < 3 || !bytes.HasPrefix(parts[1], []byte("std")) {
			continue
		}
		text := []byte(nil)
		if len(parts) == 4 {
			text = parts[3]
		}
		key := hash(hashSeed, parts[1], false)
		f.add(key, l.off, text)
		if !bytes.HasPrefix(parts[2], []byte{'P'}) {
			f.add(key, l.off, []byte{'\n'})
		}
	}
	return f
}

// dockerStream parts the eight-byte frames of an attached container: stream,
// three zeros, length (Docker Engine API, attach).
func dockerStream(b []byte) *flows {
	if len(b) < 16 || bytes.Equal(b[:16], make([]byte, 16)) {
		return nil
	}
	f := newFlows()
	for i := 0; i < len(b); {
		if len(b)-i < 8 || b[i] > 3 || b[i+1]|b[i+2]|b[i+3] != 0 {
			return orNone(f, i > len(b)/2 && i > 8)
		}
		n := int(binary.BigEndian.Uint32(b[i+4:]))
		end := i + 8 + n
		if end > len(b) {
			if i == 0 {
				return nil
			}
			end = len(b)
		}
		f.add(uint64(b[i]), i+8, b[i+8:end])
		i = end
	}
	return orNone(f, len(b) > 8)
}

func orNone(f *flows, ok bool) *flows {
	if !ok || len(f.list) == 0 {
		return nil
	}
	return f
}

// journalExport joins fields of one name over entries; a field without = has
// a length and bytes (systemd, Journal Export Formats).
func journalExport(b []byte) *flows {
	if !bytes.HasPrefix(b, []byte("__")) && !bytes.Contains(b[:min(len(b), 512)], []byte("\n__REALTIME_TIMESTAMP=")) {
		return nil
	}
	f := newFlows()
	for i := 0; i < len(b); {
		end := bytes.IndexByte(b[i:], '\n')
		if end < 0 {
			end = len(b) - i
		}
		l := b[i : i+end]
		i += end + 1
		if k := bytes.IndexByte(l, '='); k > 0 {
			f.add(hash(hashSeed, l[:k], false), i-end+k, l[k+1:])
		} else if len(l) > 0 && len(b)-i > 8 {
			n := min(binary.LittleEndian.Uint64(b[i:]), uint64(len(b)-i-8))
			f.add(hash(hashSeed, l, false), i+8, b[i+8:][:n])
			i += 8 + int(n) + 1
		}
	}
	return f
}

// gelfChunks joins chunks that begin with 1e 0f, an identifier, a number and a
// count (Graylog, GELF via UDP), in their order.
func gelfChunks(b []byte) *flows {
	magic := []byte{0x1e, 0x0f}
	at := bytes.Index(b[:min(len(b), 4096)], magic)
	if at < 0 {
		return nil
	}
	type message [128][]byte
	parts := map[uint64]*message{}
	f := newFlows()
	var ids []uint64
	for at+12 < len(b) {
		end := bytes.Index(b[at+12:], magic)
		if end < 0 {
			end = len(b) - at - 12
		}
		id, number := binary.BigEndian.Uint64(b[at+2:]), b[at+10]
		if parts[id] == nil && len(ids) < flowsMost {
			parts[id] = &message{}
			ids = append(ids, id)
		}
		if m := parts[id]; m != nil && number < 128 {
			m[number] = b[at+12 : at+12+end]
		}
		at += 12 + end
	}
	for _, id := range ids {
		f.add(id, 0, join(parts[id][:]))
	}
	return f
}
