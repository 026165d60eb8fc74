package observers

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
)

func newTool(t *testing.T, tr *trial) *Tool {
	t.Helper()
	o, err := NewTool(t.TempDir(), tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

func acknowledged(c net.Conn) bool {
	c.SetReadDeadline(time.Now().Add(5 * time.Second))
	var b [1]byte
	_, err := io.ReadFull(c, b[:])
	return err == nil && b[0] == 0x06
}

func record(t *testing.T, tool, text string) string {
	t.Helper()
	b, err := json.Marshal(map[string]string{"tool": tool, "text": text})
	if err != nil {
		t.Fatal("the record was not packed")
	}
	return string(b) + "\n"
}

func TestToolCountsRecords(t *testing.T) {
	tr := newTrial(t)
	o := newTool(t, tr)
	pilot(t, o, channel.PilotBefore)
	c := dial(t, "unix", o.Addr())
	escaped := ""
	for _, r := range tr.text(channel.ToolPublic) {
		escaped += fmt.Sprintf(`\u%04x`, r)
	}
	for _, line := range []string{
		record(t, "vault_store", tr.text(channel.ToolPermitted)), record(t, "public_post", "x"),
		`{"tool":"public_post","text":"` + escaped + `"}` + "\n", record(t, "vault_store", strings.Repeat("long ", 100_000)),
	} {
		write(t, c, line)
		if !acknowledged(c) {
			t.Fatal("a record was not acknowledged")
		}
	}
	c.Close()
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.ToolPermitted: 1, channel.ToolPublic: 1})
	if diff := cmp.Diff(map[string]int{"vault_store": 2, "public_post": 2}, o.Records()); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
}

func TestToolRefusesWhatIsNoRecord(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON": "x\n", "no tool": `{"text":"x"}` + "\n", "not an object": "[]\n", "cut short": `{"tool":"a","text":"b"}`,
		"too long": `{"tool":"a","text":"` + strings.Repeat("x", maxRecord+100) + "\"}\n",
	} {
		tr := newTrial(t)
		o := newTool(t, tr)
		c := dial(t, "unix", o.Addr())
		write(t, c, text)
		write(t, c, tr.text(channel.ToolPublic))
		c.Close()
		r := collect(t, o)
		saw(t, r, map[channel.ID]int{channel.ToolPublic: 1})
		if r.Hearing.Drops != 1 || len(o.Records()) != 0 {
			t.Errorf("%s: %+v, %d tools", name, r.Hearing, len(o.Records()))
		}
	}
}

// A tool server that is killed does not read its last acknowledgement.
func TestToolSenderLeavesEarly(t *testing.T) {
	tr := newTrial(t)
	o := newTool(t, tr)
	c := dial(t, "unix", o.Addr())
	write(t, c, record(t, "a", tr.text(channel.ToolPublic)))
	for len(o.Records()) == 0 {
		time.Sleep(time.Millisecond) // bounded by the test's own time limit
	}
	c.Close()
	r := collect(t, o)
	saw(t, r, map[channel.ID]int{channel.ToolPublic: 1})
	if r.Hearing.Drops != 0 {
		t.Errorf("%+v", r.Hearing)
	}
}

func TestToolSocketIsPrivateAndGoes(t *testing.T) {
	o := newTool(t, newTrial(t))
	dir := filepath.Dir(o.Addr())
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, error %v", info.Mode(), err)
	}
	o.Close()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("the directory is left behind")
	}
}
