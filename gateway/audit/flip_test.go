package audit

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A byte of the file that changed is found, or it changed no row: much of a page
// is empty.
func TestAFlippedByteIsFoundOrChangesNothing(t *testing.T) {
	path, head := written(t, 20)
	want := rowsOf(t, path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	found, idle := 0, 0
	dir := t.TempDir()
	for range 300 {
		at := random.IntN(len(content))
		by := byte(1 + random.IntN(255))
		content[at] ^= by
		copied := filepath.Join(dir, "audit.db")
		if err := os.WriteFile(copied, content, 0o600); err != nil {
			t.Fatal(err)
		}
		content[at] ^= by
		if _, err := Verify(t.Context(), copied, head); err != nil {
			found++
			continue
		}
		idle++
		if got := rowsOf(t, copied); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: the change of byte %d is in a row and not found", seed, at)
		}
	}
	if found == 0 || idle == 0 {
		t.Errorf("%d changes were found, %d were idle: the test looks at one kind alone", found, idle)
	}
}
