package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzStrict holds what is read of a server's output: it is the beginning of that,
// whole where nothing is out of order, text, and an object a line; and it does not
// depend on how the bytes come.
func FuzzStrict(f *testing.F) {
	for _, stream := range []string{"{\"a\":[1]}\n{}\n", " \t{}\r\n\r\n\n{}", "{\"\u20ac\"}\n", "{}\n[{}]\n", "{\n\"a\":1}\n", "{\"a\":\"\xff\"}\n", "{\"\xe2\x82", "\ufeff{}\n"} {
		f.Add([]byte(stream))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		read, err := io.ReadAll(newStrict(io.NopCloser(bytes.NewReader(stream)), new(asides)))
		again, worse := io.ReadAll(newStrict(io.NopCloser(iotest.OneByteReader(bytes.NewReader(stream))), new(asides)))
		switch {
		case !bytes.Equal(read, again) || (err == nil) != (worse == nil):
			t.Fatal("what is read depends on how it comes")
		case !bytes.HasPrefix(stream, read) || (err == nil) != (len(read) == len(stream)):
			t.Fatal("what is read is not what was written, or ends without an error")
		case !utf8.Valid(read):
			t.Fatal("what is read is no text")
		}
		for line := range bytes.Lines(read) {
			if line = bytes.TrimLeft(line, " \t\r\n"); len(line) > 0 && line[0] != '{' {
				t.Fatal("a line is read that is no object")
			}
		}
	})
}

// FuzzIntroduction holds the check of versions: it lets through what it does not
// change, with a version that is spoken; and the weak one gives any other object
// such a version, and changes nothing else.
func FuzzIntroduction(f *testing.F) {
	for _, result := range []string{
		`{"protocolVersion":"2025-06-18","capabilities":{}}`, `{"protocolVersion":"1999-12-31","a":[1,{"b":null}]}`, `{"protocolVersion":null}`,
		`{"protocolVersion":"2025-06-18","protocolVersion":"2026-07-28"}`, `{"PROTOCOLVERSION":"2025-06-18"}`, `{}`, `null`, `[]`, `{"protocolVersion":"2025\u002d06-18"}`,
	} {
		f.Add([]byte(result))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		id, err := jsonrpc.MakeID(float64(1))
		if err != nil {
			t.Fatal(err)
		}
		heard := func(w HandshakeWeakness) (string, error) {
			g := &greeting{weak: w, id: id}
			answer := &jsonrpc.Response{ID: id, Result: slices.Clone(result)}
			err := g.hears(answer)
			if g.refused() != errors.Is(err, ErrVersion) {
				t.Fatal("refused, and not for the version")
			}
			return string(answer.Result), err
		}
		var said, changed map[string]json.RawMessage
		object := json.Unmarshal(result, &said) == nil && said != nil
		strict, err := heard(HandshakeWeakness{})
		if strict != string(result) || !object && err != nil {
			t.Fatal("the strict check changes what it lets through, or refuses what the library is to")
		}
		version := func(members map[string]json.RawMessage) (v string) {
			json.Unmarshal(members["protocolVersion"], &v)
			return v
		}
		if object && (err == nil) != slices.Contains(versions, version(said)) {
			t.Fatal("another version than one that is spoken passes, or one that is does not")
		}
		weak, err := heard(HandshakeWeakness{AnyVersion: true})
		if err != nil || !object {
			if err != nil {
				t.Fatal("the weak check refuses")
			}
			return
		}
		if json.Unmarshal([]byte(weak), &changed) != nil || !slices.Contains(versions, version(changed)) {
			t.Fatal("the weak check lets a version through that is not spoken")
		}
		delete(said, "protocolVersion")
		delete(changed, "protocolVersion")
		if len(said) != len(changed) {
			t.Fatal("the weak check changes something else")
		}
	})
}
