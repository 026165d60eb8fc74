package domain

import "maps"

// merged is what several read together.
func merged(list []*reads) *reads {
	r := &reads{all: map[string]*read{}}
	for _, from := range list {
		for _, k := range from.keys() {
			r.merge(k, from.all[k])
		}
	}
	r.share()
	return r
}

func (r *reads) merge(k string, from *read) {
	f := r.all[k]
	if f == nil {
		f = newRead(from.path)
		r.all[k] = f
	}
	for _, l := range from.literals {
		f.add(l)
	}
	for _, p := range from.patterns {
		f.pattern(p)
	}
	for _, g := range from.groups {
		f.group(g)
	}
	maps.Copy(f.related, from.related)
	maps.Copy(f.inside, from.inside)
	maps.Copy(f.functions, from.functions)
	f.arithmetic = f.arithmetic || from.arithmetic
}
