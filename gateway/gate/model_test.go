package gate

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// model is the gate as one queue and one loop: everything takes a place, and
// the front is served until it has to wait.
type model struct {
	known   uint64
	closed  bool
	revoked []string
	inside  map[int]bool
	queue   []*operation
	results map[int]Code
}

// operation is a call or an update.
type operation struct {
	id        int
	tool      string  // of a call
	update    *Update // nil: a call
	taken     bool
	abandoned bool
}

func newModel() *model {
	return &model{inside: map[int]bool{}, results: map[int]Code{}}
}

func (m *model) arrive(o *operation) {
	if o.update == nil && o.tool == "strange" {
		m.results[o.id] = UnknownTool
		return
	}
	m.queue = append(m.queue, o)
	m.serve()
}

func (m *model) serve() {
	for len(m.queue) > 0 && m.serveFront(m.queue[0]) {
		m.queue = m.queue[1:]
	}
}

// serveFront reports whether the front is done.
func (m *model) serveFront(o *operation) bool {
	switch {
	case o.update == nil:
		m.results[o.id] = ""
		if m.closed {
			m.results[o.id] = Closed
		} else if slices.Contains(m.revoked, o.tool) {
			m.results[o.id] = Revoked
		} else {
			m.inside[o.id] = true
		}
		return true
	case o.abandoned:
		m.closed = true
		return true
	case !o.taken:
		if code := m.judge(*o.update); code != "" {
			m.results[o.id], m.closed = code, true
			return true
		}
		o.taken, m.known = true, o.update.Revision
	}
	if len(m.inside) > 0 {
		return false
	}
	m.results[o.id], m.closed, m.revoked = "", false, o.update.Revoked
	return true
}

func (m *model) judge(u Update) Code {
	switch {
	case u.Revision == math.MaxUint64:
		return Overflow
	case u.Revision != 0 && u.Revision == m.known:
		return Repeated
	case u.Revision <= m.known:
		return Stale
	}
	for i, tool := range u.Revoked {
		if tool == "strange" {
			return UnknownTool
		}
		if slices.Contains(u.Revoked[:i], tool) {
			return DuplicateTool
		}
	}
	return ""
}

// cancel ends the context of something that waits.
func (m *model) cancel(o *operation) {
	switch {
	case o.update == nil:
		m.results[o.id] = Canceled
		m.queue = slices.DeleteFunc(m.queue, func(x *operation) bool { return x == o })
	case o.taken:
		m.results[o.id], m.closed, m.revoked = Expired, true, o.update.Revoked
		m.queue = m.queue[1:]
	default:
		m.results[o.id], o.abandoned = Expired, true
	}
	m.serve()
}

// durable is what a restart must find.
func (m *model) durable() Status {
	s := Status{Revision: m.known, Closed: m.closed, Revoked: m.revoked}
	if len(m.queue) > 0 { // then an update is at its front
		s.Closed, s.Revoked = true, m.queue[0].update.Revoked
	}
	return s
}

// machine drives a gate and the model by the same actions.
type machine struct {
	gate  *Gate
	path  string
	model *model
	next  int

	mu      sync.Mutex
	results map[int]Code
	leaves  map[int]func()
	cancels map[int]context.CancelFunc
}

func (m *machine) begin(o *operation, run func(ctx context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	o.id, m.cancels[m.next] = m.next, cancel
	m.next++
	go func() {
		code := codeOf(run(ctx))
		m.mu.Lock()
		defer m.mu.Unlock()
		m.results[o.id] = code
	}()
	synctest.Wait()
	m.model.arrive(o)
}

func (m *machine) call(t *rapid.T) {
	tool := rapid.SampledFrom([]string{deliver, publish, deliver, publish, "strange"}).Draw(t, "tool")
	o := &operation{tool: tool}
	m.begin(o, func(ctx context.Context) error {
		leave, err := m.gate.Enter(ctx, tool)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.leaves[o.id] = leave
		return err
	})
}

func (m *machine) update(t *rapid.T) {
	u := Update{Revision: rapid.OneOf(
		rapid.Map(rapid.IntRange(-1, 3), func(d int) uint64 { return m.model.known + uint64(d) }),
		rapid.Map(rapid.IntRange(1, 3), func(d int) uint64 { return m.model.known + uint64(d) }),
		rapid.SampledFrom([]uint64{0, 1, math.MaxUint64}),
	).Draw(t, "revision")}
	u.Revoked = rapid.SampledFrom([][]string{
		nil, {deliver}, {publish}, {publish}, {deliver, publish}, {"strange"}, {deliver, deliver},
	}).Draw(t, "revoked")
	m.begin(&operation{update: &u}, func(ctx context.Context) error { return m.gate.Update(ctx, u) })
}

func (m *machine) leave(t *rapid.T) {
	if len(m.model.inside) == 0 {
		t.Skip("no call inside")
	}
	id := rapid.SampledFrom(sortedKeys(m.model.inside)).Draw(t, "call")
	m.mu.Lock()
	leave := m.leaves[id] // the map is written as soon as this one leaves
	m.mu.Unlock()
	leave()
	if rapid.Bool().Draw(t, "again") {
		leave()
	}
	delete(m.model.inside, id)
	m.model.serve()
}

func (m *machine) cancel(t *rapid.T) {
	waiting := slices.DeleteFunc(slices.Clone(m.model.queue), func(o *operation) bool { return o.abandoned })
	if len(waiting) == 0 {
		t.Skip("nothing waits")
	}
	o := rapid.SampledFrom(waiting).Draw(t, "waiting")
	m.cancels[o.id]()
	synctest.Wait()
	m.model.cancel(o)
}

// restart ends everything and opens the state file anew.
func (m *machine) restart(t *rapid.T) {
	if len(m.model.queue) > 0 || len(m.model.inside) > 0 {
		t.Skip("not at rest")
	}
	if err := m.gate.Close(); err != nil {
		t.Fatal("a gate cannot be closed")
	}
	gate, err := New(toolSet, Options{Path: m.path, Known: m.model.known})
	if err != nil {
		t.Fatalf("a state cannot be opened again: %v", err)
	}
	m.gate = gate
}

func (m *machine) check(t *rapid.T) {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	if diff := cmp.Diff(m.model.results, m.results); diff != "" {
		t.Fatalf("results, by operation (- model, + gate):\n%s", diff)
	}
	want := Status{
		Revision: m.model.known, Closed: m.model.closed, Revoked: sorted(m.model.revoked),
		Updating: len(m.model.queue) > 0, Inside: len(m.model.inside), Queued: max(0, len(m.model.queue)-1),
	}
	if diff := cmp.Diff(want, m.gate.Status()); diff != "" {
		t.Fatalf("status (- model, + gate):\n%s", diff)
	}
	data, err := os.ReadFile(m.path)
	if err != nil {
		t.Fatal("no state file")
	}
	r, err := decodeState(data)
	if err != nil {
		t.Fatalf("the state file: %v", err)
	}
	durable := m.model.durable()
	durable.Revoked = sorted(durable.Revoked)
	if diff := cmp.Diff(durable, Status{Revision: r.Revision, Closed: r.Closed, Revoked: sorted(r.Revoked)}); diff != "" {
		t.Fatalf("state file (- model, + file):\n%s", diff)
	}
}

// end lets everything that waits go, so that the bubble can end.
func (m *machine) end() {
	for _, cancel := range m.cancels {
		cancel()
	}
	synctest.Wait()
	m.gate.Close()
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

func sortedKeys(m map[int]bool) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestTheGateFollowsTheModel(t *testing.T) {
	dir, lives := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		lives++
		path := filepath.Join(dir, fmt.Sprint(lives))
		if thrown := inBubble(t, func() { follow(rt, path) }); thrown != nil {
			panic(thrown) // rapid steers by panics, which may not cross the bubble
		}
	})
}

func inBubble(t *testing.T, f func()) (thrown any) {
	synctest.Test(t, func(*testing.T) {
		defer func() { thrown = recover() }()
		f()
	})
	return thrown
}

func follow(rt *rapid.T, path string) {
	gate, err := New(toolSet, Options{Path: path, Create: true})
	if err != nil {
		rt.Fatalf("making a gate: %v", err)
	}
	m := &machine{
		gate: gate, path: path, model: newModel(),
		results: map[int]Code{}, leaves: map[int]func(){}, cancels: map[int]context.CancelFunc{},
	}
	defer m.end()
	rt.Repeat(map[string]func(*rapid.T){
		"call": m.call, "call again": m.call, "update": m.update, "leave": m.leave,
		"cancel": m.cancel, "restart": m.restart, "": m.check,
	})
}
