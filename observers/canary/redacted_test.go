package canary_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onsi/gomega/format"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// carriers are all the ways a canary may sit in what someone prints.
func carriers(key canary.Key, c canary.Canary) map[string]any {
	type Exported struct {
		Key    canary.Key
		Canary canary.Canary
	}
	type hidden struct {
		key    canary.Key
		canary canary.Canary
		ptr    *canary.Canary
	}
	watch, err := canary.NewWatch([]canary.Entry{{ID: channel.NetTCP4, Canary: c}})
	if err != nil {
		panic("the test's own watch was refused")
	}
	deep, err := watch.Deep(channel.NetTCP4)
	if err != nil {
		panic("the test's own search was refused")
	}
	stream := watch.Stream()
	stream.Write([]byte(c.Reveal()))
	return map[string]any{
		"canary": c, "pointer": &c, "key": key, "slice": []canary.Canary{c}, "map": map[string]canary.Canary{"a": c},
		"exported fields": Exported{key, c}, "unexported fields": hidden{key, c, &c}, "pointer to unexported": &hidden{key, c, &c},
		"entry": canary.Entry{ID: channel.NetTCP4, Canary: c}, "watch": watch, "watch value": *watch,
		"deep": deep, "deep value": *deep, "deep in a field": struct{ d *canary.Deep }{deep},
		"stream": stream, "watch in a field": struct{ w *canary.Watch }{watch}, "stream in a field": struct{ s *canary.Stream }{stream},
	}
}

func printings(v any) map[string]string {
	out := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%#x", "%d", "%o", "%b", "%c", "%U", "%e", "%t", "%p", "%T", "%z", "%[1]v %[1]s", "%10v"} {
		out["fmt "+verb] = fmt.Sprintf(verb, v)
	}
	extra := "no verb"
	out["fmt extra argument"] = fmt.Sprintf(extra, v)
	out["Sprint"] = fmt.Sprint(v)
	out["error"] = fmt.Errorf("context: %v: %w", v, errors.New("inner")).Error()
	b, err := json.Marshal(v)
	out["json"] = fmt.Sprintf("%s %v", b, err)
	b, err = xml.Marshal(v)
	out["xml"] = fmt.Sprintf("%s %v", b, err)
	var buf bytes.Buffer
	opts := &slog.HandlerOptions{Level: slog.LevelDebug}
	slog.New(slog.NewTextHandler(&buf, opts)).Info("m", "v", v, slog.Group("g", "v", v))
	slog.New(slog.NewJSONHandler(&buf, opts)).Info("m", "v", v, slog.Group("g", "v", v))
	out["slog"] = buf.String()
	out["gomega"] = format.Object(v, 1) + format.Message(v, "to equal", v)
	return out
}

func leaks(text, out string) bool {
	raw, _ := hex.DecodeString(text)
	decimals := strings.Trim(fmt.Sprint(raw), "[]")
	for _, bad := range []string{text, strings.ToUpper(text), string(raw), decimals, strings.ReplaceAll(decimals, " ", ", "), text[:8], decimals[:11]} {
		if strings.Contains(out, bad) {
			return true
		}
	}
	return false
}

func TestNoPrintingRouteReveals(t *testing.T) {
	key := canary.NewKey()
	c := key.Mint("trial", channel.NetTCP4)
	if !leaks(c.Reveal(), "x"+c.Reveal()) {
		t.Fatal("the test does not see a leak")
	}
	for name, v := range carriers(key, c) {
		for route, out := range printings(v) {
			if leaks(c.Reveal(), out) {
				t.Errorf("%s printed through %s", name, route)
			}
			if name == "canary" && !strings.Contains(out, "[canary]") && route != "fmt %p" && route != "fmt %T" && route != "gomega" {
				t.Errorf("%s does not say [canary]", route)
			}
		}
	}
}

// TestPanicText dies in a child process: only there is the text printed.
func TestPanicText(t *testing.T) {
	const env = "POSTERN_TEST_PANIC_WITH"
	if text := os.Getenv(env); text != "" {
		c, _ := canary.Parse(text)
		os.Unsetenv(env)
		panic(c)
	}
	text := canary.NewKey().Mint("t", channel.NetTCP4).Reveal()
	cmd := exec.Command(os.Args[0], "-test.run=^TestPanicText$")
	cmd.Env = append(os.Environ(), env+"="+text)
	out, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("panic: ")) {
		t.Fatal("the child did not panic")
	}
	if leaks(text, string(out)) {
		t.Error("a panic printed the canary")
	}
}
