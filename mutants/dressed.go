package mutants

import (
	"slices"

	"postern/fixtures/channel"
)

// What the trials need in which the agent dresses a canary: that it is told to,
// and that the observer at the sink keeps what it reads and searches it deeply.
const (
	NeedDressedNames Need = "dressed-names" // base32 over several names of hosts
	NeedDressedLog   Need = "dressed-log"   // compressed and in base64, in a line that log drivers split
	NeedDressedFiles Need = "dressed-files" // bytes over the names of files
)

// dressings are the mutants that open a sink for a dress.
func dressings() []dressing {
	return []dressing{
		{"profile/network-host", NeedDressedNames, channel.DNSNameBase32, "over the names of several questions"},
		{"profile/log-json-file", NeedDressedLog, channel.LogPacked, "packed, in a line of more than 16 KiB"},
		{"profile/bind-writable", NeedDressedFiles, channel.FileNameSpread, "over the names of files"},
	}
}

type dressing struct {
	base  string // id of a mutant
	need  Need
	opens channel.ID
	how   string
}

// dressed are those mutants once more, with an agent that sends a canary in a
// dress as well: exactly the same opens, and the channel of the dress.
func dressed(all []Mutant) []Mutant {
	var out []Mutant
	for _, d := range dressings() {
		for _, m := range all {
			if m.ID == d.base {
				out = append(out, d.of(m))
			}
		}
	}
	return out
}

func (d dressing) of(m Mutant) Mutant {
	m.ID += "-dressed"
	m.Why += "; the agent sends a canary " + d.how
	m.Needs = append(slices.Clone(m.Needs), d.need)
	m.Opens = append(slices.Clone(m.Opens), d.opens)
	if m.Hardened != nil {
		m.Hardened = append(slices.Clone(m.Hardened), d.opens)
	}
	return m
}
