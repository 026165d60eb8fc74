package cedar

import "slices"

// Operator is one way to weaken or change a policy. It has one of the two
// functions.
type Operator struct {
	Name string // permanent; it is part of a mutant's id
	Why  string // what the mutant does, in words that end a sentence about a policy

	// Removes marks an operator that takes something away and puts nothing in
	// its place. Nothing depends on a part whose removal changes no decision.
	Removes bool

	// Whole proposes changes to a policy beyond its conditions' expressions.
	Whole func(t *Tree, w *Words) []Change

	// Part proposes nodes in place of a node of a condition. It never returns
	// the node itself.
	Part func(n Node, at Place) []Node
}

// Change is a policy changed at a path.
type Change struct {
	At   Path
	Tree *Tree // nil if the policy is gone
	Lost *Tree // of one that is gone: how it is written nevertheless, if it is
}

// Place says what stands around a node.
type Place struct {
	Boolean bool   // a truth value is asked for: an operand of && or a condition
	Root    string // "when" or "unless" at the root of a condition
	Literal bool   // the text of an extension's value, as in ip("10.0.0.1")
	Words   *Words // what else the set talks of
}

// Operators lists all, in the order in which they are tried: where two propose
// the same text, the first has it.
func Operators() []Operator {
	return slices.Concat(policyOperators(), scopeOperators(), logicOperators(), relationOperators(),
		valueOperators(), setOperators(), extensionOperators())
}
