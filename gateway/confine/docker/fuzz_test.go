package docker

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// FuzzAdmit edits a recorded account: some bytes at a place are replaced by
// others. Whatever is admitted is still one of the recorded accounts, but for
// what may differ. The check reads it with another parser and compares it
// whole, so that a hole in the table shows.
func FuzzAdmit(f *testing.F) {
	var whole [2][]byte
	var good [2]map[string]any
	for i, name := range accounts() {
		whole[i] = recorded(f, name)
		good[i] = plain(tree(f, whole[i]))
		text := string(whole[i])
		for _, key := range []string{`"NetworkMode": "none"`, `"User": "10001:10001"`, `"Binds": null`, `"Networks": {`, `"Mounts": []`, `"SecurityOpt": [`} {
			at := strings.Index(text, key)
			f.Add(i == 1, uint16(at), uint16(len(key)), []byte(key))
			f.Add(i == 1, uint16(at), uint16(0), []byte(`"Novelty": true,`))
			f.Add(i == 1, uint16(at), uint16(0), []byte(key+","))
		}
		f.Add(i == 1, uint16(0), uint16(len(text)), []byte(`{}`))
		f.Add(i == 1, uint16(len(text)/2), uint16(len(text)), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, started bool, at, cut uint16, insert []byte) {
		i := 0
		if started {
			i = 1
		}
		from := min(int(at), len(whole[i]))
		to := min(from+int(cut), len(whole[i]))
		raw := slices.Concat(whole[i][:from], insert, whole[i][to:])
		if admit(raw) != nil {
			return
		}
		got := plain(tree(t, raw))
		if !slices.ContainsFunc(good[:], func(g map[string]any) bool { return reflect.DeepEqual(g, got) }) {
			t.Error("an account is admitted that is none of the recorded ones")
		}
	})
}

// plain takes out of an account what may differ.
func plain(root map[string]any) map[string]any {
	drop := func(paths ...string) {
		for _, p := range paths {
			at := root
			steps := strings.Split(p, ".")
			for _, s := range steps[:len(steps)-1] {
				at, _ = at[s].(map[string]any)
			}
			delete(at, steps[len(steps)-1])
		}
	}
	id, _ := root["Id"].(string)
	visit("", root, func(path string, parent map[string]any, key string) {
		if s, ok := parent[key].(string); ok && len(id) == 64 && (strings.HasSuffix(path, "Path") || path == "Config.Hostname") {
			s = strings.ReplaceAll(s, id, "ID")
			parent[key] = strings.ReplaceAll(s, id[:12], "ID")
			if i := strings.LastIndex(s, "/ID/"); i >= 0 {
				parent[key] = s[i:]
			}
		}
		if l, ok := parent[key].([]any); ok && len(l) == 0 {
			parent[key] = nil
		}
		if m, ok := parent[key].(map[string]any); ok && len(m) == 0 {
			parent[key] = nil
		}
	})
	drop("Id", "Created", "Path", "Args", "Name", "Driver", "AppArmorProfile", "State.Pid", "State.StartedAt",
		"Config.Labels", "Config.Cmd", "Config.Entrypoint", "Config.Env", "Config.WorkingDir",
		"GraphDriver", "HostConfig.KernelMemory", "HostConfig.KernelMemoryTCP", "HostConfig.OomKillDisable",
		"HostConfig.MaskedPaths", "HostConfig.ReadonlyPaths",
		"NetworkSettings.SandboxID", "NetworkSettings.SandboxKey",
		"NetworkSettings.Networks.none.NetworkID", "NetworkSettings.Networks.none.EndpointID")
	// Keys that only some Engines give, and then say nothing.
	for at, optional := range map[string][]string{
		"HostConfig":                    {"Mounts", "Tmpfs", "StorageOpt", "Annotations", "Sysctls", "Init"},
		"Config":                        {"ExposedPorts", "Healthcheck", "NetworkDisabled", "MacAddress"},
		"NetworkSettings.Networks.none": {"DNSNames", "GwPriority"},
	} {
		for _, key := range optional {
			drop(at + "." + key)
		}
	}
	return maps.Clone(root)
}
