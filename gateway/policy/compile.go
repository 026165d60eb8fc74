package policy

import (
	"errors"
	"fmt"
	"iter"
	"regexp"

	cedar "github.com/cedar-policy/cedar-go"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// The reasons why a source is refused. Cedar's own messages quote the source.
var (
	errSchema   = errors.New("compiling policies: the schema does not parse or resolve")
	errPolicies = errors.New("compiling policies: the policies do not parse")
)

// identifier is the form of a policy id: it goes into audit and evidence.
var identifier = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}$`)

// Engine is a compiled, immutable policy set; safe for concurrent use.
type Engine struct {
	Digest string // Source.Digest of what was compiled

	policies  ordered
	validator *validate.Validator
	weak      Weakness
}

// Compile parses and validates a source. Each policy needs an @id of its own.
func Compile(s Source) (*Engine, error) { return build(s, Weakness{}) }

func build(s Source, w Weakness) (*Engine, error) {
	parsed, err := s.parse()
	if err != nil {
		return nil, err
	}
	resolved, err := parsed.schema.Resolve()
	if err != nil {
		return nil, errSchema
	}
	engine := &Engine{validator: validate.New(resolved), weak: w}
	if engine.Digest, err = parsed.digest(); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for i, p := range parsed.policies {
		id, err := identify(p, seen)
		if err != nil {
			return nil, fmt.Errorf("compiling policy %d: %w", i+1, err)
		}
		if engine.validator.Policy(id, (*xast.Policy)(p.AST())) != nil && !w.PoliciesUnchecked {
			return nil, fmt.Errorf("compiling policy %d: it does not validate against the schema", i+1)
		}
		engine.policies = append(engine.policies, named{cedar.PolicyID(id), p})
	}
	return engine, nil
}

type parsed struct {
	schema   schema.Schema
	policies cedar.PolicyList
}

func (s Source) parse() (parsed, error) {
	var out parsed
	if err := out.schema.UnmarshalCedar(s.Schema); err != nil {
		return parsed{}, errSchema
	}
	var err error
	if out.policies, err = cedar.NewPolicyListFromBytes("policies.cedar", s.Policies); err != nil {
		return parsed{}, errPolicies
	}
	return out, nil
}

func identify(p *cedar.Policy, seen map[string]bool) (string, error) {
	id := string(p.Annotations()["id"])
	if !identifier.MatchString(id) {
		return "", errors.New("its @id is missing or malformed")
	}
	if seen[id] {
		return "", errors.New("its @id stands there twice")
	}
	seen[id] = true
	return id, nil
}

// ordered keeps file order: Cedar's own set is a map and iterates at random.
type ordered []named

type named struct {
	id     cedar.PolicyID
	policy *cedar.Policy
}

// All implements cedar.PolicyIterator.
func (o ordered) All() iter.Seq2[cedar.PolicyID, *cedar.Policy] {
	return func(yield func(cedar.PolicyID, *cedar.Policy) bool) {
		for _, n := range o {
			if !yield(n.id, n.policy) {
				return
			}
		}
	}
}
