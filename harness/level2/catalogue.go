package level2

import (
	"strings"

	"postern/gateway"
	"postern/gateway/upstream"
	"postern/mutants/cedar"
)

// noPin is the digest of no definition.
var noPin = strings.Repeat("0", 64)

// catalogueMutants are those of what is compared with the tool server's list, of
// the catalogue itself and of the names in it.
func catalogueMutants() []codeMutant {
	return []codeMutant{
		{id: "catalogue/pin-removed", why: "a tool without a pin may be defined in any way", layer: Catalogue, stop: noTools,
			weak: gateway.Weakness{Listing: upstream.Weakness{Unpinned: true}},
			set:  func(c *gateway.Config, q *question) { edit(c, q, func(t *gateway.Tool) { t.Definition = "" }) }},
		{id: "catalogue/drift-accepted", why: "a tool may be defined otherwise than it was pinned", layer: Catalogue, stop: noTools,
			weak: gateway.Weakness{Listing: upstream.Weakness{Drifted: true}},
			set:  func(c *gateway.Config, q *question) { edit(c, q, func(t *gateway.Tool) { t.Definition = noPin }) }},
		{id: "catalogue/drift-accepted", layer: Catalogue, stop: noTools, // the tool changed between two looks
			weak: gateway.Weakness{Listing: upstream.Weakness{Drifted: true}},
			set: func(_ *gateway.Config, q *question) {
				q.before, q.seen, q.around.server, q.around.again = q.tool, q.answer, drifts, true
			}},
		{id: "catalogue/any-version", why: "a tool server may answer with any version of the protocol", layer: Catalogue, stop: noServer,
			weak: gateway.Weakness{Hello: upstream.HandshakeWeakness{AnyVersion: true}},
			set:  func(_ *gateway.Config, q *question) { q.around.server = skews }},
		{id: "catalogue/unlisted-accepted", why: "a tool need not be listed by the server", layer: Catalogue, stop: noTools,
			weak: gateway.Weakness{Listing: upstream.Weakness{Unlisted: true}},
			set: func(c *gateway.Config, _ *question) {
				c.Catalogue = append(c.Catalogue, gateway.Tool{Name: cedar.Other, Response: c.Lattice[0], Definition: noPin})
			}},
		{id: "catalogue/listed-twice", why: "of two listed tools with one name the last counts", layer: Catalogue, stop: noTools,
			weak: gateway.Weakness{Listing: upstream.Weakness{NamesTwice: true}},
			set:  func(_ *gateway.Config, q *question) { q.around.server = lists }},
		{id: "catalogue/defined-twice", why: "of two tools of the catalogue with one name the last counts", layer: Catalogue, stop: noConfig,
			weak: gateway.Weakness{ToolsTwice: true},
			set: func(c *gateway.Config, q *question) {
				c.Catalogue = append(c.Catalogue, c.Catalogue[find(*c, q.tool)].Clone())
			}},
		{id: "aliases/unchecked", why: "an alias may name no tool", layer: Aliases, stop: noConfig,
			weak: gateway.Weakness{AliasesUnchecked: true},
			set:  func(c *gateway.Config, _ *question) { c.Aliases[cedar.Other] = cedar.Other }},
		{id: "aliases/tools-own-names", why: "a tool's own name is an operation", layer: Aliases, stop: unknown,
			weak: gateway.Weakness{NamesAreAliases: true},
			set:  func(_ *gateway.Config, q *question) { q.operation = q.tool }},
		{id: "aliases/folded", why: "operations are taken in any case", layer: Aliases, stop: unknown,
			weak: gateway.Weakness{FoldedAliases: true},
			set:  func(c *gateway.Config, q *question) { q.operation = strings.ToUpper(operation(*c, q.tool)) }},
		{id: "gate/unasked", why: "the operator's overlay is not asked", layer: Gate, stop: byGate,
			weak: gateway.Weakness{GateUnasked: true},
			set:  func(_ *gateway.Config, q *question) { q.around.revoked = true }},
	}
}
