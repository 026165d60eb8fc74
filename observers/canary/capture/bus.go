package capture

// bus takes the data of a USB packet behind the header of usbmon. Reports of a
// keyboard, eight bytes each, are also read as what was typed.
func (d *dissector) bus(p packet, b []byte, head int) {
	s := b[min(len(b), head):]
	if len(s) == 8 && s[1] == 0 {
		p.options = typed(s)
	}
	d.other(p, s)
}

// typed is the first key of a report (USB HID usage tables, 10).
func typed(report []byte) []byte {
	const plain = lower + "1234567890\n\x1b\b\t -=[]\\#;'`,./"
	const shifted = upper + "!@#$%^&*()\n\x1b\b\t _+{}|~:\"~<>?"
	key, keys := int(report[2])-4, plain
	if report[0]&0x22 != 0 {
		keys = shifted
	}
	if key < 0 || key >= len(keys) {
		return nil
	}
	return []byte{keys[key]}
}
