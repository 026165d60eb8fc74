package reports

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShapesOfNoCanaryAreLeftAlone(t *testing.T) {
	dir := publish(t)
	for _, name := range bundleFiles() {
		if problems := Shapes(name, []byte(readFile(t, dir, name))); problems != nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
	for _, text := range []string{
		"profile/network-bridge-and-extra-host", "dns.label.base64url.tcp", "dns/label-base32-tcp4-and-base64url-tcp6", "supervision/watchdog-paused-without-acknowledgment",
		"manifest_sha256", "9007199254740991", "", "0123456789abcdef01234", "the quick brown fox jumps over the lazy dog",
		"------------------------------", "=AaAaAaAaAaAaAaAaAaAaAaAaAaAa", "ssssssssssssssssssssssssssssss",
	} {
		if Shaped([]byte(text)) {
			t.Errorf("%s looks like a canary", text)
		}
	}
}

func TestShapesOfCanariesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "canary")
		digits := hex.EncodeToString(raw)
		separator := rapid.SampledFrom([]string{"-", ":", ".", "_", "/", " "}).Draw(t, "separator")
		for _, text := range []string{digits, strings.ToUpper(digits), pieces(digits, 2, separator), "x=" + digits + ";"} {
			if !Shaped([]byte(text)) {
				t.Errorf("%s is not found", text)
			}
		}
	})
}

// TestRandomBase64IsFound uses fixed pseudo-random bytes: rapid prefers bytes
// that are all alike, and those have no entropy to be found by.
func TestRandomBase64IsFound(t *testing.T) {
	seed, missed64, missed32 := []byte("seed"), 0, 0
	const rounds = 2000
	for range rounds {
		sum := digest(seed)
		seed, _ = hex.DecodeString(sum)
		raw := seed[:16]
		if !Shaped([]byte(base64.RawURLEncoding.EncodeToString(raw))) || !Shaped([]byte(base64.StdEncoding.EncodeToString(raw))) {
			missed64++
		}
		if !Shaped([]byte(strings.ToLower(base32.StdEncoding.EncodeToString(raw)))) {
			missed32++
		}
	}
	if missed64+missed32 > 0 {
		t.Errorf("of %d missed: base64 %d, lower-case base32 %d", rounds, missed64, missed32)
	}
}

func TestOnlyDeclaredDigestsAreLeftOut(t *testing.T) {
	canary := strings.Repeat("0123456789abcdef", 2)
	for name, c := range map[string]struct {
		file, text string
		found      int
	}{
		"a declared digest":          {evidenceFile, `{"generator":{"commit":"` + canary + canary[:8] + `"}}`, 0},
		"no digest in its place":     {evidenceFile, `{"generator":{"commit":"` + canary + `"}}`, 1},
		"the same place, other file": {manifestFile, `{"generator":{"commit":"` + canary + canary[:8] + `"}}`, 1},
		"the same name elsewhere":    {evidenceFile, `{"run":{"commit":"` + canary + `"}}`, 1},
		"in a name":                  {evidenceFile, `{"` + canary + `":1}`, 1},
		"in a number":                {manifestFile, `{"seed":` + strings.Repeat("12345678", 4) + `}`, 1},
		"in a list":                  {manifestFile, `["` + canary + `","` + canary + `"]`, 2},
		"before the JSON breaks":     {manifestFile, `["` + canary + `",}`, 1},
		"a digest of SHA256SUMS":     {sumsFile, canary + canary + "  a\n", 0},
		"a file name of SHA256SUMS":  {sumsFile, canary + canary + "  " + canary + "\n", 1},
		"a short sum in SHA256SUMS":  {sumsFile, canary + "  a\n", 1},
		"an attribute in the view":   {junitFile, `<testcase name="` + canary + `">`, 1},
		"across the view's elements": {junitFile, "<a>" + canary[:16] + "</a>", 0},
	} {
		if got := len(Shapes(c.file, []byte(c.text))); got != c.found {
			t.Errorf("%s: %d found, want %d", name, got, c.found)
		}
	}
}
