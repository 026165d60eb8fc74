package domain

import (
	"encoding/binary"
	"maps"
	"net/netip"
	"slices"

	"github.com/cedar-policy/cedar-go/types"

	"postern/mutants/cedar"
)

func extensionOf(v types.Value) string {
	switch v.(type) {
	case types.IPAddr:
		return "ipaddr"
	case types.Decimal:
		return "decimal"
	case types.Datetime:
		return "datetime"
	case types.Duration:
		return "duration"
	}
	return ""
}

// units is how many milliseconds what a function counts in takes.
var units = map[string]int64{"toMilliseconds": 1, "toSeconds": 1000, "toMinutes": 60_000, "toHours": 3_600_000, "toDays": 86_400_000}

// extensions adds values around those that policies name, and some of their
// own.
func extensions(t string, f *read, add func(Class, ...types.Value)) {
	for _, l := range f.literals {
		if !l.own || extensionOf(l.value) != t {
			continue
		}
		switch v := l.value.(type) {
		case types.IPAddr:
			add(Elsewhere, aroundRange(v.Prefix())...)
		case types.Decimal:
			addNear(add, "decimal", v.String(), types.ParseDecimal)
		case types.Datetime:
			addNear(add, "datetime", v.String(), types.ParseDatetime)
		case types.Duration:
			addNear(add, "duration", v.String(), types.ParseDuration)
		}
	}
	switch t {
	case "ipaddr":
		for _, s := range []string{"192.0.2.1", "127.0.0.1", "224.0.0.1", "2001:db8::1", "::1"} {
			if a, err := types.ParseIPAddr(s); err == nil {
				add(Fresh, a)
			}
		}
		if r, err := types.ParseIPAddr("192.0.2.0/24"); err == nil && len(f.related) > 0 {
			add(Fresh, r) // that another address is in
		}
	case "decimal":
		for i := range int64(2) {
			if d, err := types.NewDecimal(i, 0); err == nil {
				add([]Class{"", Above}[i], d)
			}
		}
	case "datetime":
		add("", types.NewDatetimeFromMillis(0))
		for _, ms := range spans(f) {
			add(Elsewhere, types.NewDatetimeFromMillis(ms))
		}
		for _, ms := range f.steps() {
			add(Above, types.NewDatetimeFromMillis(ms))
		}
	case "duration":
		add("", types.NewDurationFromMillis(0))
		for _, ms := range spans(f) {
			add(Elsewhere, types.NewDurationFromMillis(ms))
		}
		for _, ms := range f.steps() {
			add(Above, types.NewDurationFromMillis(ms))
		}
	}
}

// day is in milliseconds.
const day = 86_400_000

// rounds reports whether a date is asked for its day, or for its time of day.
func (f *read) rounds() bool { return f.functions["toDate"] || f.functions["toTime"] }

// steps are the milliseconds by which a value is more than another one that no
// policy names: so that of two places that are compared each can be more.
func (f *read) steps() []int64 {
	if f.rounds() {
		return []int64{1, day, day + 1}
	}
	return []int64{1}
}

func addNear[T types.Value](add func(Class, ...types.Value), constructor types.Path, written string, parse func(string) (T, error)) {
	for i, near := range cedar.Near(constructor, written) {
		if v, err := parse(near); err == nil {
			add([]Class{Below, Above}[min(i, 1)], v)
		}
	}
}

// spans are the milliseconds at which a span between dates comes to another
// number: those of each number and of each duration that it is compared with,
// and of a date that is rounded the days before and after.
func spans(f *read) []int64 {
	var out []int64
	around := func(ms int64) { out = append(out, ms-1, ms, ms+1) }
	for _, l := range f.literals {
		switch v := l.value.(type) {
		case types.Long, types.Duration:
			for _, ms := range f.lengths(v) {
				around(ms)
			}
		case types.Datetime:
			at := []int64{v.Milliseconds()}
			for _, other := range f.literals {
				if !l.own || !other.own {
					continue
				}
				for _, ms := range f.lengths(other.value) {
					at = append(at, v.Milliseconds()-ms, v.Milliseconds()+ms)
				}
			}
			for i, ms := range at {
				if i > 0 {
					around(ms)
				}
				if f.rounds() && l.own {
					out = append(out, ms-day, ms+day)
				}
			}
		}
	}
	return out
}

// lengths are how long a duration is, or so many of the units in which a
// function counts, and one more.
func (f *read) lengths(v types.Value) []int64 {
	var out []int64
	switch v := v.(type) {
	case types.Duration:
		return []int64{v.ToMilliseconds()}
	case types.Long:
		for _, name := range slices.Sorted(maps.Keys(f.functions)) {
			unit, ok := units[name]
			if ok && v > -1_000_000 && v < 1_000_000 {
				out = append(out, int64(v)*unit, (int64(v)+1)*unit)
			}
		}
	}
	return out
}

// aroundRange is the range, its first and its last address, and those outside
// next to them.
func aroundRange(p netip.Prefix) []types.Value {
	first := p.Masked().Addr()
	last := lastOf(p)
	out := []types.Value{types.IPAddr(p)}
	for _, a := range []netip.Addr{first, last, first.Prev(), last.Next()} {
		if a.IsValid() {
			out = append(out, types.IPAddr(netip.PrefixFrom(a, a.BitLen())))
		}
	}
	return out
}

func lastOf(p netip.Prefix) netip.Addr {
	first := p.Masked().Addr()
	if first.Is4() {
		b := first.As4()
		binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])|(1<<(32-p.Bits())-1))
		return netip.AddrFrom4(b)
	}
	b := first.As16()
	for i := range 128 - p.Bits() {
		b[15-i/8] |= 1 << (i % 8)
	}
	return netip.AddrFrom16(b)
}
