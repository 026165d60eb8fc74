package cedar

import (
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// families are functions of one type each: an operator takes another of the
// same family.
var families = [][]types.Path{
	{"lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"},
	{"isIpv4", "isIpv6", "isLoopback", "isMulticast"},
	{"toDays", "toHours", "toMinutes", "toSeconds", "toMilliseconds"},
}

// extensionOperators change addresses, decimals, dates and durations, and what
// is asked of them.
func extensionOperators() []Operator {
	return []Operator{
		{
			Name: "function",
			Why:  "asks an extension's value another question of the same kind",
			Part: func(n Node, _ Place) []Node {
				call, ok := n.(xast.NodeTypeExtensionCall)
				if !ok {
					return nil
				}
				var out []Node
				for _, family := range families {
					if !slices.Contains(family, call.Name) {
						continue
					}
					for _, name := range family {
						if name != call.Name {
							out = append(out, xast.NodeTypeExtensionCall{Name: name, Args: call.Args})
						}
					}
				}
				return out
			},
		},
		{
			Name: "drop-call",
			Why:  "takes a date as it is, without shifting or rounding it",
			Part: func(n Node, _ Place) []Node {
				if call, ok := n.(xast.NodeTypeExtensionCall); ok && (call.Name == "offset" || call.Name == "toDate") && len(call.Args) > 0 {
					return []Node{call.Args[0]}
				}
				return nil
			},
		},
		{
			Name: "swap-arguments",
			Why:  "asks the second of two values what it asked the first",
			Part: func(n Node, _ Place) []Node {
				call, ok := n.(xast.NodeTypeExtensionCall)
				if ok && len(call.Args) == 2 && (call.Name == "isInRange" || call.Name == "durationSince") {
					return []Node{xast.NodeTypeExtensionCall{Name: call.Name, Args: []Node{receiver(call.Args[1]), call.Args[0]}}}
				}
				return nil
			},
		},
		{
			Name: "extension-value",
			Why:  "has the next smaller or greater address, range, decimal, date or duration",
			Part: func(n Node, _ Place) []Node {
				call, ok := n.(xast.NodeTypeExtensionCall)
				if !ok || len(call.Args) != 1 {
					return nil
				}
				v, _ := call.Args[0].(xast.NodeValue)
				written, ok := v.Value.(types.String)
				if !ok {
					return nil
				}
				var out []Node
				for _, near := range Near(call.Name, string(written)) {
					out = append(out, xast.NodeTypeExtensionCall{Name: call.Name, Args: []Node{text(types.String(near))}})
				}
				return out
			},
		},
	}
}

// Near lists the values on either side of an extension's value, as its
// constructor takes them; nothing if the text is not such a value. The ends of
// a type have one neighbour.
func Near(constructor types.Path, written string) []string {
	switch constructor {
	case "decimal":
		d, err := types.ParseDecimal(written)
		if err != nil {
			return nil
		}
		return nearDecimals(d)
	case "datetime":
		d, err := types.ParseDatetime(written)
		if err != nil {
			return nil
		}
		return []string{types.NewDatetimeFromMillis(d.Milliseconds() - 1).String(), types.NewDatetimeFromMillis(d.Milliseconds() + 1).String()}
	case "duration":
		d, err := types.ParseDuration(written)
		if err != nil {
			return nil
		}
		return []string{types.NewDurationFromMillis(d.ToMilliseconds() - 1).String(), types.NewDurationFromMillis(d.ToMilliseconds() + 1).String()}
	case "ip":
		a, err := types.ParseIPAddr(written)
		if err != nil {
			return nil
		}
		return nearAddresses(a.Prefix())
	}
	return nil
}

// nearDecimals steps by the last of the four digits that a decimal can have.
func nearDecimals(d types.Decimal) []string {
	whole, fraction, _ := strings.Cut(d.String(), ".")
	units, err := strconv.ParseInt(whole+(fraction + "0000")[:4], 10, 64)
	if err != nil {
		return nil
	}
	var out []string
	for _, step := range []int64{-1, 1} {
		if step < 0 && units == math.MinInt64 || step > 0 && units == math.MaxInt64 {
			continue
		}
		if near, err := types.NewDecimal(units+step, -4); err == nil {
			out = append(out, near.String())
		}
	}
	return out
}

// nearAddresses are, of a range, the range twice and half as large, and of one
// address its neighbours.
func nearAddresses(p netip.Prefix) []string {
	var out []string
	if !p.IsSingleIP() {
		for _, bits := range []int{p.Bits() - 1, p.Bits() + 1} {
			if bits >= 0 && bits <= p.Addr().BitLen() {
				out = append(out, netip.PrefixFrom(p.Addr(), bits).String())
			}
		}
		return out
	}
	for _, a := range []netip.Addr{p.Addr().Prev(), p.Addr().Next()} {
		if a.IsValid() {
			out = append(out, a.String())
		}
	}
	return out
}
