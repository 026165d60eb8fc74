package docker

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"postern/gateway/confine"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/network"
	"github.com/docker/go-connections/nat"
)

// Render says what the Engine must be asked for to get a profile. It renders
// weak profiles too: refusing them is for admission. The image is named by its
// id ("sha256:" and 64 hex digits); a tag could name another one tomorrow.
func Render(p confine.Profile, image string, labels map[string]string) (*container.Config, *container.HostConfig, *network.NetworkingConfig, error) {
	if !imageID(image) {
		return nil, nil, nil, errors.New("rendering a container: the image must be named by its id, sha256: and 64 hex digits")
	}
	p = p.Clone() // what is rendered shares nothing with the caller's profile
	exposed, bindings, err := ports(p.Ports)
	if err != nil {
		return nil, nil, nil, err
	}
	named, anonymous := volumes(p.Volumes)
	config := &container.Config{
		Image:        image,
		User:         p.User,
		AttachStdin:  true,
		AttachStdout: true,
		AttachStderr: true,
		OpenStdin:    true,
		StdinOnce:    true,
		Tty:          p.TTY,
		ExposedPorts: exposed,
		Volumes:      anonymous,
		Labels:       maps.Clone(labels),
		Entrypoint:   p.Command,
		Env:          p.Env,
		WorkingDir:   p.WorkDir,
		Hostname:     p.Hostname,
		StopSignal:   p.Stop.Signal,
	}
	if p.Stop.Timeout != 0 {
		seconds := int(p.Stop.Timeout)
		config.StopTimeout = &seconds
	}
	if len(p.Healthcheck) > 0 {
		config.Healthcheck = &container.HealthConfig{Test: p.Healthcheck, Interval: healthInterval}
	}
	host := hostConfig(p)
	host.Binds = append(p.Binds, named...)
	host.PortBindings = bindings
	host.Mounts = mounts(p.Mounts)
	if host.Ulimits, err = ulimits(p); err != nil {
		return nil, nil, nil, err
	}
	r := request{Config: config, HostConfig: host, NetworkingConfig: endpoints(p.Networks)}
	if err := r.set(p.Extra); err != nil {
		return nil, nil, nil, err
	}
	return r.Config, r.HostConfig, r.NetworkingConfig, nil
}

// healthInterval is how soon the Engine runs a health command: not before a
// container that has one, which no strict profile does, is inspected, and not
// after it has ended.
const healthInterval = time.Second

func hostConfig(p confine.Profile) *container.HostConfig {
	h := &container.HostConfig{
		NetworkMode:     container.NetworkMode(p.Network),
		ReadonlyRootfs:  p.ReadonlyRoot,
		VolumesFrom:     p.VolumesFrom,
		Tmpfs:           p.Tmpfs,
		CapDrop:         p.CapDrop,
		CapAdd:          p.CapAdd,
		SecurityOpt:     securityOptions(p),
		GroupAdd:        p.Groups,
		LogConfig:       container.LogConfig{Type: p.Log.Driver, Config: p.Log.Options},
		RestartPolicy:   container.RestartPolicy{Name: container.RestartPolicyMode(p.Restart)},
		ShmSize:         p.ShmSize,
		IpcMode:         container.IpcMode(p.IPC),
		PidMode:         container.PidMode(p.PID),
		UTSMode:         container.UTSMode(p.UTS),
		UsernsMode:      container.UsernsMode(p.Userns),
		CgroupnsMode:    container.CgroupnsMode(p.Cgroupns),
		PublishAllPorts: p.Ports.All,
		Links:           p.Links,
		ExtraHosts:      p.Hosts,
		DNS:             p.DNS.Servers,
		DNSSearch:       p.DNS.Search,
		DNSOptions:      p.DNS.Options,
		Sysctls:         p.Sysctls,
		Privileged:      p.Privileged,
		Runtime:         p.Runtime,
		AutoRemove:      p.AutoRemove,
		OomScoreAdj:     int(p.OOMScore),
		Resources:       resources(p),
	}
	if p.Init {
		h.Init = &p.Init
	}
	// An absent list means the Engine's default, an empty one means none.
	if !p.MaskedPaths {
		h.MaskedPaths = []string{}
	}
	if !p.ReadonlyPaths {
		h.ReadonlyPaths = []string{}
	}
	return h
}

func resources(p confine.Profile) container.Resources {
	r := container.Resources{
		Memory:            p.Memory,
		MemorySwap:        p.Memory + p.Swap, // the Engine counts both together
		PidsLimit:         &p.Pids,
		CgroupParent:      p.CgroupParent,
		Devices:           devices(p.Devices),
		DeviceCgroupRules: p.DeviceRules,

		NanoCPUs: p.CPU.Nano, CPUShares: p.CPU.Shares, CPUPeriod: p.CPU.Period, CPUQuota: p.CPU.Quota,
		CPURealtimePeriod: p.CPU.RealtimePeriod, CPURealtimeRuntime: p.CPU.RealtimeRuntime,
		CpusetCpus: p.CPU.Cpus, CpusetMems: p.CPU.Mems,
	}
	if p.Swap < 0 {
		r.MemorySwap = -1
	}
	if p.OOMKillDisable {
		r.OomKillDisable = &p.OOMKillDisable
	}
	return r
}

// securityOptions leaves out what the Engine does by itself: its own seccomp
// filter and labels. A filter that is named takes the place of ours.
func securityOptions(p confine.Profile) []string {
	var out []string
	if p.NoNewPrivileges {
		out = append(out, "no-new-privileges")
	}
	switch {
	case p.Seccomp != "":
		out = append(out, "seccomp="+p.Seccomp)
	case p.Deny != confine.Deny{}:
		out = append(out, "seccomp="+seccompFilter(p.Deny))
	}
	return append(out, p.LSM...)
}

// volumes splits "name:/path" from "/path": the Engine takes the first among
// the binds.
func volumes(all []string) (named []string, anonymous map[string]struct{}) {
	for _, v := range all {
		if strings.HasPrefix(v, "/") {
			if anonymous == nil {
				anonymous = make(map[string]struct{})
			}
			anonymous[v] = struct{}{}
			continue
		}
		named = append(named, v)
	}
	return named, anonymous
}

func ports(p confine.Ports) (nat.PortSet, nat.PortMap, error) {
	exposed, bindings, err := nat.ParsePortSpecs(slices.Concat(p.Publish, p.Expose))
	if err != nil {
		return nil, nil, fmt.Errorf("rendering ports: %w", err)
	}
	for _, e := range p.Expose {
		delete(bindings, nat.Port(e)) // exposed, not published
	}
	if len(exposed) == 0 {
		return nil, nil, nil
	}
	return exposed, bindings, nil
}

// devices reads "/dev/host[:/dev/name[:rwm]]".
func devices(specs []string) []container.DeviceMapping {
	var out []container.DeviceMapping
	for _, s := range specs {
		parts := append(strings.SplitN(s, ":", 3), "", "")
		if parts[1] == "" {
			parts[1] = parts[0]
		}
		if parts[2] == "" {
			parts[2] = "rwm"
		}
		out = append(out, container.DeviceMapping{PathOnHost: parts[0], PathInContainer: parts[1], CgroupPermissions: parts[2]})
	}
	return out
}

// imageID tells an id from a name.
func imageID(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	return ok && hexDigits(digits)
}

// hexDigits tells an id of the Engine's: 64 lower-case hex digits.
func hexDigits(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
