package record

const (
	writersMost = 12 // more values than this name no writer
	bySplits    = 6  // columns of a table that are tried as the writer's name
)

// giveWriters takes each column with few values as the name of a writer, and
// yields the other columns writer by writer.
func giveWriters(o *out, t *table) {
	tried := 0
	for i, c := range t.cols {
		parts := writers(c)
		if parts == nil {
			continue
		}
		if tried++; tried > bySplits || o.over {
			return
		}
		for _, rows := range parts {
			giveWriter(o, t.only(rows, i))
		}
	}
}

func giveWriter(o *out, t *table) {
	if t.trim(); len(t.cols) == 0 {
		return
	}
	list := []*table{t}
	giveJoined(o, t, true)
	giveSorted(o, list, [][]map[int]int{orders(t)})
	giveTurned(o, list)
}

// writers are the rows of each value of c, or nil where it has one value or
// too many.
func writers(c column) []map[int]bool {
	at := map[string]int{}
	var parts []map[int]bool
	for _, x := range c {
		n, ok := at[string(x.val)]
		if !ok {
			if n = len(parts); n == writersMost {
				return nil
			}
			at[string(x.val)] = n
			parts = append(parts, map[int]bool{})
		}
		parts[n][x.row] = true
	}
	if len(parts) < 2 || len(c) < len(parts)+2 {
		return nil
	}
	return parts
}

// only is the table with these rows, and without column skip.
func (t *table) only(rows map[int]bool, skip int) *table {
	part := &table{}
	for i, c := range t.cols {
		if i == skip {
			continue
		}
		var kept column
		for _, x := range c {
			if rows[x.row] {
				kept = append(kept, x)
			}
		}
		part.cols = append(part.cols, kept)
	}
	return part
}
