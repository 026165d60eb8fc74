package audit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// asked is a call with one argument.
func asked(text string) Payload {
	return Call("deliver", jsontext.Value(`{"text":"`+text+`"}`))
}

// pins are all payloads that a guesser has to try: a payload of low entropy.
func pins() (all []Payload) {
	for pin := range 10_000 {
		all = append(all, asked(fmt.Sprintf("%04d", pin)))
	}
	return all
}

// guess is the dictionary attack on rows, by somebody who has the file and
// knows how everything is made, and has no key. It tries what an unkeyed log
// could have done, and one whose keys are made of what the rows hold.
func guess(rows []row, dictionary []Payload) (guessed int) {
	for _, r := range rows {
		for _, p := range dictionary {
			plain := sha256.Sum256(append(prefix(r.call, p), p.bytes...))
			bare := sha256.Sum256(p.bytes)
			if bytes.Equal(r.commitment, plain[:]) || bytes.Equal(r.commitment, bare[:]) ||
				bytes.Equal(r.commitment, secret{}.commit(r.call, p)) ||
				bytes.Equal(r.commitment, secret(sha256.Sum256([]byte(r.session))).commit(r.call, p)) || bytes.Equal(r.commitment, p.bytes) {
				guessed++
				break
			}
		}
	}
	return guessed
}

func TestADictionaryOpensAPlainHashAndNoCommitment(t *testing.T) {
	for name, c := range map[string]struct {
		weak Weakness
		want int
	}{
		"reference":  {Weakness{}, 0},
		"plain hash": {Weakness{PlainHash: true}, 3},
		"guessable":  {Weakness{Guessable: true}, 3},
		"stored":     {Weakness{Stored: true}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.db")
			log := opened(t)(OpenWeakLog(t.Context(), path, c.weak))
			s := log.Session("s1")
			for i, pin := range []string{"0000", "4711", "9999"} {
				if err := s.Append(t.Context(), Entry{Call: int64(i + 1), Code: "permit", Payload: asked(pin)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := guess(rowsOf(t, path), pins()); got != c.want {
				t.Errorf("the dictionary opens %d of 3 rows, want %d", got, c.want)
			}
		})
	}
}

// The same attack with the key that was disclosed succeeds: what protects the
// payload is that the key is somewhere else, or nowhere.
func TestAKeyOpensCommitmentsAndItsLossShutsThem(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.db")
	log := open(t, path)
	s, other := log.Session("s1"), log.Session("s2")
	for i, pin := range []string{"0815", "4711", "4711"} {
		if err := s.Append(t.Context(), Entry{Call: int64(i + 1), Code: "permit", Payload: asked(pin)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Append(t.Context(), Entry{Call: 1, Code: "permit", Payload: asked("4711")}); err != nil {
		t.Fatal(err)
	}
	file, err := s.Key().Keep(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, err := ReadKey(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		payload Payload
		want    string
	}{
		{asked("4711"), "[2 3]"}, {asked("0815"), "[1]"}, {asked("0000"), "[]"}, {Answer("4711"), "[]"},
		{Call("deliver", jsontext.Value(`{ "text" : "\u0034711" }`)), "[2 3]"},
		{Call("publish", jsontext.Value(`{"text":"4711"}`)), "[]"},
	} {
		got, err := key.Open(t.Context(), path, c.payload)
		if err != nil || got.Of != 3 || fmt.Sprint(got.Rows) != c.want {
			t.Errorf("rows %v of %d, %v; want %s", got.Rows, got.Of, err, c.want)
		}
	}
	if guess(rowsOf(t, path), pins()) != 0 {
		t.Error("a row opens without the key")
	}
	if got, err := s.Key().Open(t.Context(), path, asked("4711")); err != nil || len(got.Rows) != 0 {
		t.Errorf("after its end the session still opens rows %v, %v", got.Rows, err)
	}
}

// The same payload twice must not look the same: who reads the log would learn
// that a call was repeated.
func TestEqualPayloadsDoNotLookEqual(t *testing.T) {
	s, other := newSecret(), newSecret()
	seen := map[string]bool{}
	for _, c := range [][]byte{
		s.commit(1, asked("4711")), s.commit(2, asked("4711")), other.commit(1, asked("4711")),
		s.commit(1, Answer(string(asked("4711").bytes))),
		s.commit(1, Call("delive", jsontext.Value(`r{"text":"4711"}`))),
	} {
		if len(c) != 32 || seen[string(c)] {
			t.Errorf("%d bytes, or seen before", len(c))
		}
		seen[string(c)] = true
	}
	if s.commit(1, Payload{}) != nil {
		t.Error("there is a commitment to nothing")
	}
	weak := Weakness{Unnumbered: true}
	if !bytes.Equal(weak.commit(s, 1, asked("4711")), weak.commit(s, 2, asked("4711"))) || bytes.Equal(weak.commit(s, 1, asked("4711")), weak.commit(s, 1, asked("4712"))) {
		t.Error("without the call's number, equality does not say what it should")
	}
}

func TestAKeyFileIsPrivateAndNew(t *testing.T) {
	dir := t.TempDir()
	key := Key{Session: "s1", secret: newSecret()}
	file, err := key.Keep(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if got, err := ReadKey(file); err != nil || got != key {
		t.Errorf("another key comes back, %v", err)
	}
	if _, err := key.Keep(dir); err == nil {
		t.Error("a key replaced another")
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKey(file); err == nil {
		t.Error("a key is read that others can read")
	}
	if _, err := key.Keep(filepath.Join(dir, "missing")); err == nil {
		t.Error("kept nowhere")
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		if text := fmt.Sprintf(format, key); strings.Contains(text, fmt.Sprintf("%x", key.secret[:4])) || strings.Contains(text, fmt.Sprint(key.secret[0], key.secret[1])) {
			t.Errorf("%s prints the secret", format)
		}
	}
}

func FuzzKeyFile(f *testing.F) {
	good := keyFormat + " s1 " + strings.Repeat("0a", 32) + "\n"
	for _, text := range []string{good, "", good[:len(good)-1], strings.ToUpper(good), strings.Replace(good, "s1", "", 1), strings.Replace(good, " ", "  ", 1), good + "\n", keyFormat + " s1 " + strings.Repeat("0", 63) + "\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := parseKey(text)
		if err == nil && !strings.EqualFold(text, fmt.Sprintf("%s %s %x\n", keyFormat, k.Session, k.secret[:])) {
			t.Errorf("%q is taken for a key", text)
		}
		if text == good && err != nil {
			t.Error(err)
		}
	})
}

func FuzzHead(f *testing.F) {
	for _, text := range []string{Head{}.String(), "1:" + strings.Repeat("ab", 32), "0:" + strings.Repeat("ab", 32), "-1:" + strings.Repeat("ab", 32), "+1:" + strings.Repeat("ab", 32), "1:" + strings.Repeat("AB", 32), "1:ab", "", ":"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHead(text)
		if err == nil && (h.String() != text || h.Rows < 0 || h.Rows == 0 && h != (Head{})) {
			t.Errorf("%q is taken for %s", text, h)
		}
		if again, err := ParseHead(h.String()); err != nil || again != h {
			t.Errorf("%s does not come back", h)
		}
	})
}
