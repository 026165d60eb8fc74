package capture

// openMQTT reads packets (MQTT 3.1.1, 2.2) that lead to the end, and yields
// payloads and topics, by topic too.
func openMQTT(b []byte, e *emitter) {
	var rows []row
	payloads := newFlows[string]()
	count := 0
	for at := 0; at < len(b); count++ {
		n, head := remaining(b[at:])
		kind := b[at] >> 4
		if head == 0 || kind == 0 || n > len(b)-at-head {
			return
		}
		s := b[at+head : at+head+n]
		if kind == 3 {
			topic, payload := publication(s, b[at])
			if topic == nil {
				return
			}
			rows = append(rows, append(row(labelsBy(topic, '/')), payload))
			payloads.add("", payload)
			payloads.add(string(topic), payload)
		} else if b[at]&15 != 0 && b[at]&15 != 2 {
			return
		}
		at += head + n
	}
	if len(rows) == 0 {
		return
	}
	for _, l := range payloads.lists() {
		e.units(l)
	}
	e.rows(rows)
}

// remaining is a length in groups of seven bits, and how long the head is.
func remaining(b []byte) (n, head int) {
	for i := 1; i < len(b) && i <= 4; i++ {
		n |= int(b[i]&0x7f) << (7 * (i - 1))
		if b[i] < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

func publication(b []byte, head byte) (topic, payload []byte) {
	topic, payload = counted(b, 2)
	if len(topic) == 0 || !printable(topic) {
		return nil, nil
	}
	if head>>1&3 > 0 { // an identifier where it is acknowledged
		payload = payload[min(2, len(payload)):]
	}
	return topic, payload
}
