package record

// leaf is a value that has a name, in a document or a line.
type leaf struct {
	class  uint64 // of the path, digits alike
	parent uint64 // of the path above
	inner  int    // the innermost record that it is in
	outer  int    // the outermost
	key    cell
	val    cell
}

const leavesMost = 4 * thoroughMost // bytes of a piece whose leaves are arranged every way

// leafTables arranges leaves by name over records, and as lists of names and
// values.
func leafTables(leaves []leaf, thorough bool) []*table {
	if !thorough {
		return []*table{byClass(leaves)}
	}
	inner, outer, values := newKeyed(), newKeyed(), newKeyed()
	lists, parents := newTables(), newTables()
	all := &table{}
	for i, l := range leaves {
		inner.put(l.class, at(l.inner, l.val))
		outer.put(l.class, at(l.outer, l.val))
		values.put(hash(l.class, l.key.val, true), at(i, l.val))
		for _, t := range []*table{lists.get(l.class), parents.get(l.parent), all} {
			t.put(0, at(i, l.val))
			t.put(1, at(i, l.key))
		}
	}
	list := []*table{&inner.t, &outer.t, &values.t}
	list = append(list, lists.list...)
	list = append(list, parents.list...)
	return append(list, all)
}

func at(row int, c cell) cell {
	c.row = row
	return c
}

// byClass has the values by name only.
func byClass(leaves []leaf) *table {
	k := newKeyed()
	for _, l := range leaves {
		k.put(l.class, at(l.inner, l.val))
	}
	return &k.t
}
