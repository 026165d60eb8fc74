package corpus_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"postern/observers/canary/corpus"
	"postern/observers/canary/scan"
)

// TestRecallAmidALog measures how many are found, of every fourth recoverable
// sample of tiers 1 to 3, amid a log of so many KiB as POSTERN_AMID says: of a
// larger input fewer bytes are guessed.
func TestRecallAmidALog(t *testing.T) {
	kib, _ := strconv.Atoi(os.Getenv("POSTERN_AMID"))
	if kib <= 0 {
		t.Skip("the whole takes minutes: POSTERN_AMID=64 puts each sample amid a log of 64 KiB")
	}
	secrets := canariesOf(1)
	scanner, err := scan.New(secrets, scan.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var samples []corpus.Sample
	for i, s := range only(corpus.All(1, string(secrets[0].Text()))) {
		if i%4 == 1 && s.Label == corpus.Recoverable && s.Tier < 4 {
			s.Bytes = amid(s.Bytes, kib<<10)
			samples = append(samples, s)
		}
	}
	r := newRecall()
	r.run(t, scanner, samples)
	r.log(t)
	found := share{}
	for tier := range bars {
		found.found, found.of = found.found+r.tier(tier).found, found.of+r.tier(tier).of
	}
	if found.part() < amidBar || len(r.wrong) > 0 {
		t.Errorf("found %v, not %.0f %%; wrong: %v", found, 100*amidBar, r.wrong)
	}
}

const amidBar = 0.95 // of what a log of 64 KiB and of 1 MiB is around: some forms begin where an input does

// amid puts a sample into the middle of a log of n bytes.
func amid(b []byte, n int) []byte {
	half := (n - len(b)) / 2
	return bytes.Join([][]byte{logOf(3, half), b, logOf(4, half)}, []byte("\n"))
}

func logOf(seed uint64, n int) []byte {
	c := rand.New(rand.NewPCG(seed, 4))
	words := strings.Fields("request response handler queue cache bucket region cluster deploy build session policy upstream timeout retry socket reader writer buffer index")
	var out []byte
	for i := 0; len(out) < n; i++ {
		var said []string
		for range 6 {
			said = append(said, words[c.IntN(len(words))])
		}
		out = fmt.Appendf(out, "2026-03-01T12:%02d:%02d.%06dZ %s gateway[%d]: %s took %dms, id %016x\n",
			i/60%60, i%60, c.IntN(1e6), []string{"INFO", "WARN"}[c.IntN(2)], c.IntN(30000), strings.Join(said, " "), c.IntN(900), c.Uint64())
	}
	return out
}
