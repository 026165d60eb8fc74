package forms_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"postern/observers/canary/forms"
	"postern/observers/canary/secret"
)

// BenchmarkLookalikes searches for 100 secrets in what is dressed as they
// would be: the filter passes much of it.
func BenchmarkLookalikes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var ours []secret.Secret
	for range 100 {
		ours = append(ours, secretOf(r, ""))
	}
	m := matcher(b, ours...)
	kinds := map[string][]byte{"zeros": make([]byte, 1<<20), "everything": nil}
	for len(kinds["everything"]) < 1<<20 {
		for _, f := range forms.Of(secretOf(r, "")) {
			kinds["everything"] = append(kinds["everything"], f.Text...)
			kinds[string(f.Technique)] = append(kinds[string(f.Technique)], f.Text...)
		}
	}
	for _, name := range []string{"zeros", "everything", "literal", "hex", "hex-words", "binary", "decimal", "morse", "nato", "utf-32", "html-entity", "unicode-escape", "base64", "spaced", "octal", "nibbles"} {
		data := kinds[name]
		for len(data) < 1<<20 {
			data = append(data, data...)
		}
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				m.Find(nil, data)
			}
		})
	}
}
