package docker

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"postern/gateway/confine"
)

// One option a control; two words about the same thing are never admitted,
// because the last one would win.
func TestAdmitSecurityOptions(t *testing.T) {
	root := tree(t, recorded(t, "created.json"))
	host := root["HostConfig"].(map[string]any)
	one := func(c ...confine.Control) []confine.Control { return c }
	const good = "no-new-privileges"
	for _, c := range []struct {
		options []any
		want    []confine.Control
	}{
		{[]any{good}, nil},
		{[]any{}, one(confine.NoNewPrivileges)},
		{[]any{good, good}, one(confine.NoNewPrivileges)},
		{[]any{good, "no-new-privileges:false"}, one(confine.NoNewPrivileges)},
		{[]any{good, "no-new-privileges=false"}, one(confine.NoNewPrivileges)},
		{[]any{"no-new-privileges:false"}, one(confine.NoNewPrivileges)},
		{[]any{good, "seccomp=unconfined"}, one(confine.SeccompDefault)},
		{[]any{good, "seccomp:unconfined"}, one(confine.SeccompDefault)},
		{[]any{good, "seccomp={}"}, one(confine.SeccompDefault)},
		{[]any{good, "apparmor=unconfined"}, one(confine.LSMDefault)},
		{[]any{good, "label=disable"}, one(confine.LSMDefault)},
		{[]any{good, "systempaths=unconfined"}, one(confine.LSMDefault)},
		{[]any{good, ""}, one(confine.LSMDefault)},
		{[]any{good, true}, one(confine.LSMDefault, confine.NoNewPrivileges, confine.SeccompDefault)},
		{[]any{good, "seccomp=" + seccompFilter(confine.DenyAll())}, one(confine.SeccompDefault)},
	} {
		host["SecurityOpt"] = c.options
		if got := controls(admit(encode(t, root))); !slices.Equal(got, c.want) {
			t.Errorf("%v: refused for %v, want %v", c.options, got, c.want)
		}
	}
}

func TestAdmitCoreLimit(t *testing.T) {
	root := tree(t, recorded(t, "created.json"))
	host := root["HostConfig"].(map[string]any)
	for limits, good := range map[string]bool{
		`[{"Name":"core","Hard":0,"Soft":0}]`:                                      true,
		`[{"Soft":0,"Hard":0,"Name":"core"}]`:                                      true,
		`[{"Name":"core","Hard":-1,"Soft":0}]`:                                     false,
		`[{"Name":"core","Hard":0,"Soft":1}]`:                                      false,
		`[{"Name":"core","Hard":0}]`:                                               false,
		`[{"Name":"core","Hard":0,"Soft":0,"More":0}]`:                             false,
		`[{"Name":"nproc","Hard":0,"Soft":0}]`:                                     false,
		`[{"Name":"core","Hard":0,"Soft":0},{"Name":"core","Hard":-1,"Soft":-1}]`:  false,
		`[{"Name":"core","Hard":0,"Soft":0},{"Name":"nofile","Hard":64,"Soft":1}]`: false,
	} {
		host["Ulimits"] = json.RawMessage(limits)
		if got := admit(encode(t, root)); (got == nil) != good {
			t.Errorf("%s: %v", limits, got)
		}
	}
}

func TestAdmitKindsOfMounts(t *testing.T) {
	good := string(recorded(t, "created.json"))
	for entry, want := range map[string]confine.Control{
		`{"Type":"bind"}`:   confine.BindsNone,
		`{"Type":"volume"}`: confine.VolumesNone,
		`{"Type":"tmpfs"}`:  confine.TmpfsNone,
		`{"Type":"image"}`:  confine.BindsNone,
		`{}`:                confine.BindsNone,
	} {
		for name, bad := range map[string]string{
			"effective": strings.Replace(good, `"Mounts": []`, `"Mounts": [`+entry+`]`, 1),
			"asked for": strings.Replace(good, `"Isolation": ""`, `"Isolation": "", "Mounts": [`+entry+`]`, 1),
		} {
			owner := want
			if name == "asked for" {
				owner = confine.MountsNone
			}
			if got := controls(admit([]byte(bad))); !slices.Equal(got, []confine.Control{owner}) {
				t.Errorf("%s mount %s: %v, want %s", name, entry, got, owner)
			}
		}
	}
	named := strings.Replace(good, `"Binds": null`, `"Binds": ["name:/v"]`, 1)
	if got := controls(admit([]byte(named))); !slices.Equal(got, []confine.Control{confine.VolumesNone}) {
		t.Errorf("a named volume: %v", got)
	}
}
