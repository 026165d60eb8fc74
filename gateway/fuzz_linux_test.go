package gateway

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"postern/gateway/frame"
	"postern/gateway/gate"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
)

// FuzzFrame holds every line that is accepted against another reader of JSON: it
// has exactly two keys; where the call is permitted its operation is an alias, and
// what goes to the tool is, in canonical form, what the line said.
func FuzzFrame(f *testing.F) {
	for _, r := range agentLines {
		if len(r.stream) < 4096 {
			f.Add([]byte(strings.TrimSuffix(r.stream, "\n")))
		}
	}
	f.Add([]byte("{\"arguments\" : {\"te\\u0078t\":\"\\ud83d\\ude00 <&>\\u2028\\\\u0000\"},\t\"\\u006fperation\":\"deliver\"}"))
	g := decider(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := frame.Decode(line, frame.Limits{})
		if err != nil {
			var refused *frame.Refusal
			if !errors.As(err, &refused) || !slices.Contains(frame.Codes(), refused.Code) {
				t.Fatal("refused without a word")
			}
			return
		}
		said := members(t, line)
		if len(said) != 2 || said["operation"] == nil || said["arguments"] == nil {
			t.Fatalf("accepted with %d keys", len(said))
		}
		var way call
		v, leave := g.decide(t.Context(), &way, c)
		leave()
		tool, alias := g.config.Aliases[c.Operation]
		switch {
		case !alias && v != unknownOperation, alias && way.tool.Name != tool:
			t.Fatalf("an operation that is an alias: %v; verdict %s", alias, v)
		case v != permitted:
			return
		}
		sent, err := stdjson.Marshal(way.arguments)
		if err != nil {
			t.Fatal("what is permitted cannot be sent")
		}
		if !bytes.Equal(canonical(t, sent), canonical(t, said["arguments"])) {
			t.Fatal("what goes to the tool is not what the line said")
		}
	})
}

// members reads a line with the standard library, key by key.
func members(t *testing.T, line []byte) map[string]stdjson.RawMessage {
	t.Helper()
	d, all := stdjson.NewDecoder(bytes.NewReader(line)), map[string]stdjson.RawMessage{}
	if open, err := d.Token(); err != nil || open != stdjson.Delim('{') {
		t.Fatal("accepted what another reader takes for no object")
	}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok || all[name] != nil {
			t.Fatal("accepted with a key twice, or with what another reader takes for none")
		}
		var value stdjson.RawMessage
		if d.Decode(&value) != nil {
			t.Fatal("accepted with what another reader takes for no value")
		}
		all[name] = value
	}
	return all
}

func canonical(t *testing.T, text []byte) jsontext.Value {
	t.Helper()
	v := jsontext.Value(bytes.Clone(text))
	if v.Canonicalize() != nil {
		t.Fatal("accepted what has no canonical form")
	}
	return v
}

// decider is a gateway as far as the decision: it has no tool server and no log.
func decider(f *testing.F) *Gateway {
	f.Helper()
	tool := Tool{Name: "vault_store", Sink: "vault", Groups: []string{"approved"}, Arguments: []string{"text"}, Response: "internal"}
	public := Tool{Name: "public_post", Sink: "public", Groups: []string{"approved"}, Arguments: []string{"text"}, Response: "public"}
	g := &Gateway{
		config: Config{
			Aliases:  map[string]string{"deliver": tool.Name, "publish": public.Name},
			Policy:   policy.Source{Policies: []byte(policies), Schema: []byte(schema)},
			Lattice:  sensitivity.Lattice{"public", "internal", "confidential", "restricted"},
			Ceilings: sensitivity.Ceilings{"vault": "restricted", "public": "public"},
			Initial:  "confidential",
		},
		tools: map[string]Tool{tool.Name: tool, public.Name: public},
	}
	var err error
	if g.gate, err = gate.New([]string{tool.Name, public.Name}, gate.Options{}); err != nil {
		f.Fatal(err)
	}
	if g.policies, err = g.compile(); err != nil {
		f.Fatal(err)
	}
	if g.held, err = g.beginLabel(); err != nil {
		f.Fatal(err)
	}
	return g
}
