package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// The files of a bundle.
const (
	evidenceFile = "evidence.json"
	junitFile    = "junit.xml"
	manifestFile = "manifest.json"
	sumsFile     = "SHA256SUMS"
)

// contents lists the files whose digests are in SHA256SUMS, sorted.
func contents() []string { return []string{evidenceFile, junitFile, manifestFile} }

// bundleFiles lists all files of a bundle, sorted as a directory is.
func bundleFiles() []string { return append([]string{sumsFile}, contents()...) }

// IsFile reports whether a bundle has a file of that name.
func IsFile(name string) bool { return slices.Contains(bundleFiles(), name) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// sums writes SHA256SUMS as `sha256sum` does.
func sums(files map[string][]byte) []byte {
	var text strings.Builder
	for _, name := range contents() {
		text.WriteString(digest(files[name]) + "  " + name + "\n")
	}
	return []byte(text.String())
}

// checkSums compares SHA256SUMS with the files, byte for byte: another order,
// an extra line or the binary marker is refused too.
func checkSums(files map[string][]byte) []Problem {
	got := strings.Split(string(files[sumsFile]), "\n")
	want := strings.Split(string(sums(files)), "\n")
	if len(got) != len(want) {
		return []Problem{{Code: SumsFormat, File: sumsFile}}
	}
	var problems []Problem
	for i := range want {
		if got[i] == want[i] {
			continue
		}
		_, name, _ := strings.Cut(want[i], "  ")
		if sum, rest, _ := strings.Cut(got[i], "  "); isDigest(sum) && name != "" && rest == name {
			problems = append(problems, Problem{Code: DigestMismatch, File: name})
		} else {
			problems = append(problems, Problem{Code: SumsFormat, File: sumsFile, At: atIndex(i)})
		}
	}
	return problems
}

func isDigest(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}
