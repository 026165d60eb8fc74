package forms

import (
	"hash/maphash"
	"sort"
	"sync"

	"postern/observers/canary/secret"
)

// counted is how many forms there are, those of short secrets apart.
type counted struct{ long, short int }

// estimate makes the forms of one secret of each shape. Those of the same shape
// have nearly as many: what is the same twice depends on the digits.
func estimate(secrets []secret.Secret, seed maphash.Seed) (all counted) {
	type shape struct{ text, raw int }
	known := map[shape]counted{}
	var c counted
	w := wardrobe{seed: seed, made: func(f Form) {
		if len(f.Text) < minForm {
			c.short++
		} else {
			c.long++
		}
	}}
	for _, s := range secrets {
		of := shape{len(s.Text()), len(s.Raw())}
		if _, ok := known[of]; !ok {
			c = counted{}
			w.dress(s)
			known[of] = c
		}
		all.long += known[of].long + known[of].long/16
		all.short += known[of].short + known[of].short/16
	}
	return all
}

// built is what finds the forms of all secrets: long ones in long strides, and
// short ones, if there are any, in a pass of their own.
type built struct {
	long, short *pass // short may be nil
	forms       *numbered
	longest     int
}

// build reports whether there was room for all.
func build(secrets []secret.Secret, seed maphash.Seed, count counted) (*built, bool) {
	stride := longStride
	if stride*count.long > maxSamples {
		stride = denseStride
	}
	b := &built{long: newPass(minForm, stride, count.long), forms: number(secrets, seed)}
	if count.short > 0 {
		b.short = newPass(minShort, shortStride, count.short)
	}
	whole, n := true, uint32(0)
	w := wardrobe{seed: seed, made: func(f Form) {
		b.longest = max(b.longest, len(f.Text))
		if len(f.Text) >= minForm {
			whole = whole && b.long.add(f.Text, n)
		} else {
			whole = whole && b.short != nil && b.short.add(f.Text, n)
		}
		n++
	}}
	for i, s := range secrets {
		b.forms.first[i] = n
		w.dress(s)
	}
	b.long.settle()
	if b.short != nil {
		b.short.settle()
	}
	return b, whole
}

func (b *built) find(hits []Hit, bytes []byte) []Hit {
	hits = b.long.find(hits, bytes, b.forms)
	if b.short != nil {
		hits = b.short.find(hits, bytes, b.forms)
	}
	return hits
}

func (b *built) memory() int {
	n := b.long.memory()
	if b.short != nil {
		n += b.short.memory()
	}
	return n
}

// numbered gives the forms of all secrets numbers, and makes them again when
// one may have been found: most never are.
type numbered struct {
	first []uint32 // of each secret
	of    []func() []Form
}

func number(secrets []secret.Secret, seed maphash.Seed) *numbered {
	n := &numbered{first: make([]uint32, len(secrets)), of: make([]func() []Form, len(secrets))}
	for i, s := range secrets {
		n.of[i] = sync.OnceValue(func() []Form { return listed(s, seed) })
	}
	return n
}

func (n *numbered) at(form uint32) (secret int, f *Form) {
	secret = sort.Search(len(n.first), func(i int) bool { return n.first[i] > form }) - 1
	return secret, &n.of[secret]()[form-n.first[secret]]
}
