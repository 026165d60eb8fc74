package corpus_test

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"strings"
	"testing"

	"postern/observers/canary/corpus"
)

const canary = "7f3ac2e91b5d4806a4e7d0925c8b3f16"

func TestEveryTechniqueIsNamedOnceAndKnowsItsTierAndLabel(t *testing.T) {
	groups := map[string]bool{}
	for _, g := range corpus.Groups() {
		groups[g] = true
	}
	seen := map[string]bool{}
	for _, s := range corpus.All(1, canary) {
		if seen[s.Technique] {
			t.Errorf("%s: twice", s.Technique)
		}
		seen[s.Technique] = true
		if !groups[s.Group] || s.Tier < 1 || s.Tier > 4 || len(s.Bytes) == 0 {
			t.Errorf("%s: group, tier or bytes are missing", s.Technique)
		}
		if !strings.Contains("recoverable partial keyed destroyed", s.Label) {
			t.Errorf("%s: no such label", s.Technique)
		}
	}
	if len(seen) < 250 || len(groups) != 18 {
		t.Errorf("%d techniques in %d groups", len(seen), len(groups))
	}
}

func TestTheSameSeedGivesTheSameBytes(t *testing.T) {
	one, two, other := corpus.All(1, canary), corpus.All(1, canary), corpus.All(2, canary)
	differ := 0
	for i := range one {
		if !bytes.Equal(one[i].Bytes, two[i].Bytes) {
			t.Errorf("%s: not the same twice", one[i].Technique)
		}
		if !bytes.Equal(one[i].Bytes, other[i].Bytes) {
			differ++
		}
	}
	if differ < len(one)*9/10 {
		t.Errorf("another seed changes only %d of %d", differ, len(one))
	}
}

// The canary in the clear is tier 1: nothing that claims more than that may
// hold it so by accident.
func TestNoDressLeavesTheCanaryInTheClear(t *testing.T) {
	clear := map[string]bool{}
	for _, s := range corpus.All(1, canary) {
		if bytes.Contains(s.Bytes, []byte(canary)) {
			clear[s.Technique] = true
		}
	}
	for _, s := range corpus.All(1, canary) {
		if clear[s.Technique] && (s.Tier > 2 || s.Label != corpus.Recoverable) {
			t.Errorf("%s: tier %d %s, and in the clear", s.Technique, s.Tier, s.Label)
		}
	}
}

func TestTheCompressorOfThisPackageIsReadByTheStandardLibrary(t *testing.T) {
	for _, s := range corpus.All(1, canary) {
		if s.Technique != "compression/bzip2" {
			continue
		}
		b, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(s.Bytes)))
		if err != nil || !bytes.Contains(b, []byte(canary)) {
			t.Errorf("bzip2: %v after %d bytes", err, len(b))
		}
	}
}

func TestCounts(t *testing.T) {
	table, total := map[string][]int{}, make([]int, 5)
	labels := map[string]int{}
	for _, s := range corpus.All(1, canary) {
		if table[s.Group] == nil {
			table[s.Group] = make([]int, 5)
		}
		table[s.Group][s.Tier]++
		total[s.Tier]++
		labels[s.Label]++
	}
	for _, g := range corpus.Groups() {
		t.Logf("%-15s %v", g, table[g])
	}
	t.Log("all", total, fmt.Sprint(labels))
}

func TestBenignFilesAreOfManyKindsAndHoldNoCanaryOfThisRun(t *testing.T) {
	all := corpus.Benign(1)
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.Technique] || len(s.Bytes) == 0 || bytes.Contains(s.Bytes, []byte(canary)) {
			t.Errorf("%s: twice, empty, or not benign", s.Technique)
		}
		seen[s.Technique] = true
	}
	if len(all) < 60 {
		t.Errorf("%d kinds", len(all))
	}
	t.Logf("%d files", len(all))
}
