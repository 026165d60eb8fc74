package confine

import (
	"slices"
	"testing"
)

func goodFacts() Facts {
	return Facts{
		OS: "linux", HostKernel: "6.18.44", KernelCorePattern: "core",
		Socket: "/var/run/docker.sock", SocketIsUnix: true, PeerIsDockerd: true,
		EngineOS: "linux", OperatingSystem: "Debian GNU/Linux 12 (bookworm)", EngineKernel: "6.18.44",
		EngineSecurity: []string{"name=seccomp,profile=default"},
	}
}

func TestPreflight(t *testing.T) {
	one := func(c ...Control) []Control { return c }
	for _, c := range []struct {
		name   string
		change func(f *Facts)
		want   []Control
	}{
		{"good", func(f *Facts) {}, nil},
		{"later Engine", func(f *Facts) { f.EngineSecurity = []string{"name=apparmor", "name=seccomp,profile=builtin"} }, nil},
		{"core in a directory", func(f *Facts) { f.KernelCorePattern = "/var/crash/core.%p" }, nil},
		{"macOS", func(f *Facts) { f.OS = "darwin" }, one(HostNativeLinux)},
		{"Windows containers", func(f *Facts) { f.EngineOS = "windows" }, one(HostNativeLinux)},
		{"unnamed system", func(f *Facts) { f.OperatingSystem = "" }, one(HostNativeLinux)},
		{"Docker Desktop", func(f *Facts) { f.OperatingSystem = "Docker Desktop" }, one(HostNativeLinux)},
		{"Docker Desktop's kernel", func(f *Facts) { f.HostKernel, f.EngineKernel = "6.6-linuxkit", "6.6-linuxkit" }, one(HostNativeLinux)},
		{"WSL", func(f *Facts) {
			f.HostKernel, f.EngineKernel = "5.15-Microsoft-standard", "5.15-Microsoft-standard"
		}, one(HostNativeLinux)},
		{"another kernel", func(f *Facts) { f.EngineKernel = "6.18.45" }, one(HostEngineKernel)},
		{"kernels unknown", func(f *Facts) { f.HostKernel, f.EngineKernel = "", "" }, one(HostEngineKernel)},
		{"no seccomp", func(f *Facts) { f.EngineSecurity = nil }, one(HostEngineSeccomp)},
		{"seccomp off", func(f *Facts) { f.EngineSecurity = []string{"name=seccomp,profile=unconfined"} }, one(HostEngineSeccomp)},
		{"seccomp from a file", func(f *Facts) { f.EngineSecurity = []string{"name=seccomp,profile=/etc/x.json"} }, one(HostEngineSeccomp)},
		{"TCP", func(f *Facts) { f.Socket = "tcp://127.0.0.1:2375" }, one(HostLocalSocket)},
		{"ssh", func(f *Facts) { f.Socket = "ssh://host" }, one(HostLocalSocket)},
		{"named pipe", func(f *Facts) { f.Socket = "npipe:////./pipe/docker_engine" }, one(HostLocalSocket)},
		{"no socket", func(f *Facts) { f.SocketIsUnix = false }, one(HostLocalSocket)},
		{"forwarded", func(f *Facts) { f.PeerIsDockerd = false }, one(HostSocketPeer)},
		{"core pattern unknown", func(f *Facts) { f.KernelCorePattern = "" }, one(HostCorePattern)},
		{"core pattern blank", func(f *Facts) { f.KernelCorePattern = " \t" }, one(HostCorePattern)},
		{"core to a program", func(f *Facts) { f.KernelCorePattern = "|/usr/bin/handler %p" }, one(HostCorePattern)},
		{"core to a program after spaces", func(f *Facts) { f.KernelCorePattern = "  |/usr/bin/handler" }, one(HostCorePattern)},
		{"core to a socket", func(f *Facts) { f.KernelCorePattern = "@/run/coredump.socket" }, one(HostCorePattern)},
		{"soft core limit", func(f *Facts) { f.CoreSoft = 1 }, one(HostCoreLimit)},
		{"hard core limit", func(f *Facts) { f.CoreHard = ^uint64(0) }, one(HostCoreLimit)},
	} {
		f := goodFacts()
		c.change(&f)
		if got := Preflight(f); !slices.Equal(got, Refuse(StageHost, c.want)) {
			t.Errorf("%s: refused %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPreflightRefusesZeroFacts(t *testing.T) {
	want := Refuse(StageHost, []Control{HostNativeLinux, HostEngineKernel, HostEngineSeccomp, HostLocalSocket, HostSocketPeer, HostCorePattern})
	if got := Preflight(Facts{}); !slices.Equal(got, want) {
		t.Errorf("refused %v, want %v", got, want)
	}
}
