// Package cedar makes mutants of Cedar policies: each changes one place of one
// policy, and is printed as Cedar again.
//
// An operator is a small value that proposes other nodes for a node; a site is
// named by the path to it through the syntax tree, for Cedar keeps no position
// below a policy. The promise: a mutant is never the original under another
// name, two mutants of a policy are never the same text, the original is never
// touched, and what is printed parses to what was mutated.
//
// It decides nothing: the package level1 compares, over requests of the package
// domain. cedar-go's x/exp/ast, which is outside its promise of compatibility,
// is used in this tree and in gateway/policy alone.
package cedar

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/ast"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Tree is the syntax tree of a policy.
type Tree = xast.Policy

// Policy is one policy of a set.
type Policy struct {
	ID   string // unique in its set
	File string // where it stands; empty if it was not read from a file
	Line int    // from 1
	Tree *Tree  // never changed
}

// Text is the policy as Cedar prints it: layout and comments do not count.
func Text(t *Tree) string { return string(Compile(t).MarshalCedar()) }

// Compile makes a tree evaluable. The tree must not change afterwards.
func Compile(t *Tree) *cedargo.Policy { return cedargo.NewPolicyFromAST((*ast.Policy)(t)) }

// Parse reads policies in the order in which they are written. The id of each
// is its @id, which may be missing or stand twice: the package load sees to that.
func Parse(file string, source []byte) ([]Policy, error) {
	list, err := cedargo.NewPolicyListFromBytes(file, source)
	if err != nil {
		return nil, err
	}
	out := make([]Policy, len(list))
	for i, p := range list {
		out[i] = Policy{ID: string(p.Annotations()["id"]), File: file, Line: p.Position().Line, Tree: (*Tree)(p.AST())}
	}
	return out, nil
}

// clone copies what an operator may change in place.
func clone(t *Tree) *Tree {
	c := *t
	c.Annotations, c.Conditions = slices.Clone(t.Annotations), slices.Clone(t.Conditions)
	return &c
}

// Digest is the SHA-256 of texts, each with its length in front by way of a
// line of its own, so that no two lists run into one.
func Digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write(sum(text))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sum(text string) []byte {
	s := sha256.Sum256([]byte(text))
	return s[:]
}

// Path leads from a policy to a part of it: "when[0]", "left", "arg". The
// parts of the scope are "principal", "action", "resource"; the empty path is
// the policy.
type Path []string

// To is the path to a part of what p leads to. It shares nothing with p.
func (p Path) To(name string) Path {
	out := make(Path, len(p), len(p)+1)
	copy(out, p)
	return append(out, name)
}

// String joins the steps with dots.
func (p Path) String() string {
	return strings.ReplaceAll(strings.Join(p, "."), ".[", "[")
}

// Within reports whether p is q or leads to a part of it.
func (p Path) Within(q Path) bool { return len(p) >= len(q) && slices.Equal(p[:len(q)], q) }
