package domain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"postern/mutants/cedar"
)

// many are policies each of which asks for something of its own; together they
// have far too many combinations.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `permit (principal in Group::"g%d", action, resource) when { context.n > %d && resource.kind == "k%d" && context.s like "a%d*" };`+"\n", i, 10*i, i, i)
	}
	return b.String()
}

// Of many policies each gets requests at which it holds, whatever the others
// ask for, and all combinations of what it reads.
func TestEachOfManyPoliciesHoldsSomewhere(t *testing.T) {
	r, sources := parse(t, many(60), schemaText)
	d := New(r, sources, Options{Workers: 2})
	if d.Complete || d.Valid > DefaultLimit {
		t.Fatalf("complete %v, %d valid requests", d.Complete, d.Valid)
	}
	for k, s := range sources {
		p := cedar.Compile(s.Tree)
		at := slices.IndexFunc(d.Own[k], func(i int32) bool { return d.maker.comes(p, d.Requests[i]) == 1 })
		if at < 0 || !d.Whole[k] {
			t.Errorf("policy %d holds at its request %d of %d, all combinations: %v", k, at, len(d.Own[k]), d.Whole[k])
		}
	}
	again := New(r, sources, Options{Workers: 1})
	if again.Digest != d.Digest {
		t.Error("the number of workers shows in the requests")
	}
}

// Where even one policy's combinations are too many, it holds at some of its
// requests, and next to these each of its parts decides.
func TestAPolicyOfManyPartsHoldsSomewhere(t *testing.T) {
	source := many(2) + `permit (principal in Group::"g", action, resource) when {
		context.n > 5 && context.n * 3 < 30 && (context.s == "a" || context.s like "b*") && !(resource.kind == "x") &&
		resource.owner has boss && resource.owner.boss == principal && context.idle.contains(7) && principal.age >= 18 };`
	r, sources := parse(t, source, schemaText)
	d := New(r, sources, Options{Limit: 600})
	p := cedar.Compile(sources[2].Tree)
	held := 0
	for _, i := range d.Own[2] {
		held += min(d.maker.comes(p, d.Requests[i]), 1)
	}
	if d.Whole[2] || held < 3 {
		t.Errorf("it holds at %d of %d requests, all combinations: %v", held, len(d.Own[2]), d.Whole[2])
	}
}

func TestCovers(t *testing.T) {
	source := many(60) + `permit (principal is User, action == Action::"go", resource);`
	r, sources := parse(t, source, strings.Replace(schemaText, `action "go"`, `action "go", "stay"`, 1))
	d := New(r, sources, Options{})
	for scope, want := range map[string]bool{
		`principal, action == Action::"go", resource`:                true,
		`principal, action in Action::"go", resource is Doc`:         true,
		`principal, action in [Action::"go"], resource in Doc::"d"`:  true,
		`principal in Group::"g", action == Action::"go", resource`:  true,
		`principal, action == Action::"stay", resource`:              false,
		`principal is User, action, resource`:                        false,
		`principal is Group in Group::"g", action, resource is User`: true, // nothing can be asked of it
	} {
		list, err := cedar.Parse("", []byte("permit ("+scope+");"))
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Covers(60, list[0].Tree); got != want {
			t.Errorf("%s: %v", scope, got)
		}
	}
}

func TestMakingRequestsEndsWithItsContext(t *testing.T) {
	r, sources := parse(t, many(60), schemaText)
	ctx, stop := context.WithCancel(t.Context())
	if _, err := Make(ctx, r, sources, Options{Tell: func(int, int) { stop() }}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Of a large store some entities are asked about, and that is not all.
func TestOfManyEntitiesSomeAreAsked(t *testing.T) {
	store := types.EntityMap{}
	for i := range 2_000 {
		uid := types.NewEntityUID("User", types.String(fmt.Sprint(i)))
		store[uid] = types.Entity{UID: uid, Attributes: types.NewRecord(types.RecordMap{"age": types.Long(i)})}
	}
	r, sources := parse(t, many(60), schemaText)
	d := New(r, sources, Options{Entities: store})
	seen := map[cedargo.EntityUID]bool{}
	for _, q := range d.Requests[:d.Valid] {
		if _, there := store[q.Principal]; there {
			seen[q.Principal] = true
		}
	}
	if len(seen) < someStored || slices.Contains(d.Whole, true) {
		t.Errorf("%d of them, and all combinations: %v", len(seen), d.Whole)
	}
}
