package scan_test

import (
	"archive/tar"
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"postern/observers/canary/scan"
)

// material is a kind of file without a secret, of any length.
type material struct {
	name string
	make func(n int) []byte
}

func materials() []material {
	return []material{
		{"log", lines(func(c *rand.Rand, i int) string {
			return fmt.Sprintf("2026-03-01T12:%02d:%02d.%06dZ %s %s[%d]: %s %s took %dms, id %s\n",
				i/60%60, i%60, c.IntN(1e6), pick(c, "INFO", "WARN", "DEBUG"), pick(c, "gateway", "worker", "cache"), c.IntN(30000), said(c, 6), pick(c, "retried", "done"), c.IntN(900), hexed(c, 8))
		})},
		{"json-lines", lines(func(c *rand.Rand, i int) string {
			return fmt.Sprintf(`{"ts":"2026-03-01T12:%02d:%02d.%06dZ","level":"info","svc":%q,"pid":%d,"ms":%.2f,"req":%q,"msg":%q}`+"\n",
				i/60%60, i%60, c.IntN(1e6), said(c, 1), c.IntN(30000), c.Float64()*900, hexed(c, 8), said(c, 9))
		})},
		{"go-sum", lines(func(c *rand.Rand, i int) string {
			return fmt.Sprintf("example.com/%s/%s v%d.%d.%d h1:%s=\n", said(c, 1), said(c, 1), c.IntN(3), c.IntN(30), c.IntN(9), to64(drawn(c, 32)))
		})},
		{"source", func(n int) []byte { return cycle(sources(n), n) }},
		{"program", func(n int) []byte { return program(n) }},
		{"tar-gzip", func(n int) []byte { return tarball(n) }},
		{"random", func(n int) []byte { return drawn(rand.New(rand.NewPCG(1, 2)), n) }},
	}
}

// mixed is as much of each kind.
func mixed(n int) (out []byte) {
	for _, m := range materials() {
		out = append(out, m.make(n/len(materials()))...)
	}
	return out
}

func lines(one func(*rand.Rand, int) string) func(int) []byte {
	return func(n int) []byte {
		c := rand.New(rand.NewPCG(3, 4))
		var out bytes.Buffer
		for i := 0; out.Len() < n; i++ {
			out.WriteString(one(c, i))
		}
		return out.Bytes()[:n]
	}
}

func drawn(c *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.Uint32())
	}
	return b
}

func hexed(c *rand.Rand, n int) string       { return hex.EncodeToString(drawn(c, n)) }
func pick(c *rand.Rand, of ...string) string { return of[c.IntN(len(of))] }
func said(c *rand.Rand, n int) string {
	var out []string
	for range n {
		out = append(out, pick(c, vocabulary...))
	}
	return strings.Join(out, " ")
}

var vocabulary = strings.Fields(`request response handler queue cache bucket region cluster deploy build the a of to with from user session
policy upstream timeout retry socket reader writer buffer index table record stream packet label zone answer query route`)

// sources are the sources of this project and of the language's library.
func sources(n int) []byte {
	var out []byte
	for _, dir := range []string{"..", runtime.GOROOT() + "/src/net", runtime.GOROOT() + "/src/go"} {
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.Contains(path, "corpus") && len(out) < n {
				b, _ := os.ReadFile(path)
				out = append(out, b...)
			}
			return nil
		})
	}
	return out
}

func cycle(b []byte, n int) []byte {
	for len(b) < n {
		b = append(b, b...)
	}
	return b[:n]
}

// program is a part of this test's own executable, from within its code on.
func program(n int) []byte {
	b, err := os.ReadFile(os.Args[0])
	if err != nil {
		panic(err)
	}
	return cycle(b[min(len(b)/4, 1<<20):], n)
}

// tarball is cut off at n bytes, as what arrives in part is.
func tarball(n int) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	c := rand.New(rand.NewPCG(5, 6))
	for i := 0; b.Len() < 5*n; i++ {
		body := slices.Concat(lines(func(c *rand.Rand, _ int) string { return said(c, 9) + "\n" })(4000+c.IntN(9000)), drawn(c, 1000))
		w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%s/%d.txt", said(c, 1), i), Mode: 0o644, Size: int64(len(body))})
		w.Write(body)
	}
	w.Close()
	out := zip(b.Bytes())
	return out[:min(n, len(out))]
}

// spent is the time that this process had a core, which other processes do not
// change.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPipeline is the whole search of a file without a hit, by kind and size.
func BenchmarkPipeline(b *testing.B) {
	for _, m := range append(materials(), material{"mixed", mixed}) {
		for _, n := range []int{1 << 10, 64 << 10, 1 << 20, 16 << 20} {
			b.Run(fmt.Sprintf("%s/%dKiB", m.name, n>>10), func(b *testing.B) { search(b, 1, scan.Options{}, m.make(n)) })
		}
	}
}

// BenchmarkMixedWithoutAHit is half noise and half text, by how many secrets
// are looked for, and without what lies below.
func BenchmarkMixedWithoutAHit(b *testing.B) {
	var in []byte
	for range 64 {
		in = slices.Concat(in, noise(64<<10), words(64<<10))
	}
	for _, c := range []struct {
		name    string
		secrets int
		o       scan.Options
	}{{"1-canary", 1, scan.Options{}}, {"25-canaries", 25, scan.Options{}}, {"100-canaries", 100, scan.Options{}}, {"no-parts", 1, scan.Options{Parts: []scan.Part{}}}} {
		b.Run(c.name, func(b *testing.B) { search(b, c.secrets, c.o, in) })
	}
}

// BenchmarkDepth is the same log under more and more layers.
func BenchmarkDepth(b *testing.B) {
	in := materials()[0].make(256 << 10)
	for depth := range 5 {
		b.Run(fmt.Sprintf("%d-layers", depth), func(b *testing.B) { search(b, 1, scan.Options{}, in) })
		in = zip(in)
	}
}

func search(b *testing.B, n int, o scan.Options, in []byte) {
	secrets, _ := mint(n)
	o.Workers = 1
	s, err := scan.New(secrets, o)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(in)))
	began := spent()
	for b.Loop() {
		if got := s.Bytes(b.Context(), in); len(got.Hits) > 0 {
			b.Fatal("found what is not there")
		}
	}
	each := float64((spent() - began).Nanoseconds()) / float64(b.N)
	b.ReportMetric(each/1e6, "cpu-ms/op")
	b.ReportMetric(each/indexed(in), "times-bytes.Index")
}

// indexed is how many nanoseconds bytes.Index takes to look for one form in the
// same bytes.
func indexed(in []byte) float64 {
	_, texts := mint(1)
	rounds := max(1, 64<<20/len(in))
	began := spent()
	for range rounds {
		bytes.Index(in, texts[0])
	}
	return float64((spent() - began).Nanoseconds()) / float64(rounds)
}
