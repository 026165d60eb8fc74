package dress

// typist maps what is typed or read in place of a hexadecimal digit to it, and
// the digits to themselves.
func typist() (table [256]byte) {
	for _, c := range []byte("0123456789abcdefABCDEF") {
		table[c] = c
	}
	for i, pair := 0, "O0o0Q0l1I1i1L1|1!1Z2z2S5s5$5G6T7t7g9q9@a(c"; i < len(pair); i += 2 {
		table[pair[i]] = pair[i+1]
	}
	return table
}

// retyped yields long runs of hexadecimal digits of which some were replaced by
// the letters that look like them.
func retyped(b []byte, s *sink) {
	table := typist()
	for i := 0; i < len(b); {
		// A run of spelled characters has one in every spelled places.
		at := i + spelled - 1
		if at >= len(b) {
			return
		}
		if table[b[at]] == 0 {
			i = at + 1
			continue
		}
		from, to := at, at+1
		for from > i && table[b[from-1]] != 0 {
			from--
		}
		for to < len(b) && table[b[to]] != 0 {
			to++
		}
		if i = to + 1; to-from >= spelled {
			retype(from, b[from:to], table, s)
		}
	}
}

func retype(offset int, run []byte, table [256]byte, s *sink) {
	out := make([]byte, len(run))
	changed := false
	for i, c := range run {
		out[i] = table[c]
		changed = changed || out[i] != c
	}
	if changed {
		s.put(offset, out)
	}
}
