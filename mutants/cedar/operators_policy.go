package cedar

import (
	"fmt"
	"math"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// policyOperators change a policy as a whole, or a condition as a whole.
func policyOperators() []Operator {
	return []Operator{
		{
			Name:    "drop-policy",
			Why:     "is gone",
			Removes: true,
			Whole:   func(*Tree, *Words) []Change { return []Change{{}} },
		},
		{
			Name: "flip-effect",
			Why:  "permits what it forbade, or forbids what it permitted",
			Whole: func(t *Tree, _ *Words) []Change {
				c := clone(t)
				c.Effect = !c.Effect
				return []Change{{Tree: c}}
			},
		},
		{
			Name:    "drop-condition",
			Why:     "does not ask one of its conditions",
			Removes: true,
			Whole: eachCondition(func(c *Tree, i int) {
				c.Conditions = without(c.Conditions, i)
			}),
		},
		{
			Name: "swap-when-unless",
			Why:  "asks for the opposite of a condition",
			Whole: eachCondition(func(c *Tree, i int) {
				c.Conditions[i].Condition = !c.Conditions[i].Condition
			}),
		},
		{
			Name: "duplicate-id",
			Why:  "has another policy's id: who keeps policies by their ids loses one",
			Whole: func(t *Tree, w *Words) []Change {
				id, ok := writtenID(t)
				others := next(w.ids, id, 1)
				if !ok || len(others) == 0 {
					return nil
				}
				c := clone(t)
				for i, a := range c.Annotations {
					if a.Key == "id" {
						c.Annotations[i].Value = others[0]
					}
				}
				return []Change{{At: Path{"id"}, Lost: c}}
			},
		},
		{
			Name: "fail",
			Why:  "cannot be evaluated: Cedar then skips it, even where it forbids",
			Whole: func(t *Tree, _ *Words) []Change {
				c := clone(t)
				c.Conditions = append(c.Conditions, xast.ConditionType{Condition: xast.ConditionWhen, Body: overflow()})
				return []Change{{Tree: c}}
			},
		},
	}
}

// eachCondition makes a change for each condition of a policy.
func eachCondition(edit func(c *Tree, i int)) func(*Tree, *Words) []Change {
	return func(t *Tree, _ *Words) []Change {
		var out []Change
		for i := range t.Conditions {
			c := clone(t)
			edit(c, i)
			out = append(out, Change{At: Path{conditionName(t, i)}, Tree: c})
		}
		return out
	}
}

func conditionName(t *Tree, i int) string {
	if t.Conditions[i].Condition == xast.ConditionWhen {
		return fmt.Sprintf("when[%d]", i)
	}
	return fmt.Sprintf("unless[%d]", i)
}

// overflow has the type of a truth value and none for a value: an addition
// that does not fit into 64 bits.
func overflow() Node {
	sum := xast.NodeTypeAdd{BinaryNode: xast.BinaryNode{
		Left: xast.NodeValue{Value: types.Long(math.MaxInt64)}, Right: xast.NodeValue{Value: types.Long(1)},
	}}
	return xast.NodeTypeEquals{BinaryNode: xast.BinaryNode{Left: sum, Right: xast.NodeValue{Value: types.Long(0)}}}
}
