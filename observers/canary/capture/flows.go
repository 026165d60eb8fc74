package capture

// flows are lists under keys, in the order in which the keys first came.
type flows[K comparable] struct {
	at   map[K]int
	keys []K
	list [][][]byte
}

func newFlows[K comparable]() *flows[K] { return &flows[K]{at: map[K]int{}} }

func (f *flows[K]) add(key K, s []byte) {
	if len(s) == 0 {
		return
	}
	i, ok := f.at[key]
	if !ok {
		i = len(f.list)
		f.at[key] = i
		f.keys = append(f.keys, key)
		f.list = append(f.list, nil)
	}
	f.list[i] = append(f.list[i], s)
}

func (f *flows[K]) lists() [][][]byte { return f.list }
