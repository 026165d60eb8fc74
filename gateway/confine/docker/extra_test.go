package docker

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"postern/gateway/confine"
)

// asked is one field of the create request that no field of the profile is
// for, and what became of it at Engine 20.10.24.
type asked struct {
	path, value string
	refused     []confine.Control // by admission; nil where the Engine dropped it or would not have it
	engine      string            // "dropped": not in the account; "refused": not created; "client": not sent to so old an Engine
}

func everythingElse() []asked {
	refused := func(path, value string, c ...confine.Control) asked { return asked{path, value, c, ""} }
	by := func(engine, path, value string) asked { return asked{path, value, nil, engine} }
	return []asked{
		refused("Config.Domainname", `"x.test"`, confine.HostnameDefault),
		refused("Config.AttachStdin", `false`, confine.ExtraNone),
		refused("Config.AttachStdout", `false`, confine.ExtraNone),
		refused("Config.AttachStderr", `false`, confine.ExtraNone),
		refused("Config.OpenStdin", `false`, confine.ExtraNone),
		refused("Config.StdinOnce", `false`, confine.ExtraNone),
		refused("Config.NetworkDisabled", `true`, confine.ExtraNone, confine.NetworkNone),
		refused("Config.MacAddress", `"02:42:ac:11:00:02"`, confine.NetworkNone),
		refused("Config.OnBuild", `["RUN x"]`, confine.ExtraNone),
		refused("Config.Shell", `["/x"]`, confine.ExtraNone),
		refused("Config.ArgsEscaped", `true`, confine.ExtraNone),
		refused("Config.Cmd", `["x"]`, confine.CommandImage),
		refused("Config.StopTimeout", `0`, confine.StopDefault),
		refused("Config.Volumes", `{"/v":{}}`, confine.VolumesNone),
		refused("Config.Healthcheck", `{"Test":["NONE"]}`, confine.HealthcheckNone),
		refused("HostConfig.ContainerIDFile", `"/tmp/x"`, confine.ExtraNone),
		refused("HostConfig.RestartPolicy", `{"Name":"on-failure","MaximumRetryCount":2}`, confine.RestartNone),
		refused("HostConfig.VolumeDriver", `"local"`, confine.VolumesNone),
		refused("HostConfig.ConsoleSize", `[10,10]`, confine.ExtraNone),
		by("dropped", "HostConfig.Annotations", `{"a":"b"}`),
		refused("HostConfig.Cgroup", `"container:x"`, confine.CgroupPrivate),
		by("refused", "HostConfig.StorageOpt", `{"size":"1G"}`),
		refused("HostConfig.Isolation", `"default"`, confine.ExtraNone),
		refused("HostConfig.SecurityOpt", `["no-new-privileges","no-new-privileges:false"]`, confine.NoNewPrivileges),
		by("dropped", "HostConfig.BlkioWeight", `500`),
		by("dropped", "HostConfig.BlkioWeightDevice", `[{"Path":"/dev/null","Weight":500}]`),
		refused("HostConfig.BlkioDeviceReadBps", `[{"Path":"/dev/null","Rate":1048576}]`, confine.ExtraNone),
		refused("HostConfig.BlkioDeviceWriteBps", `[{"Path":"/dev/null","Rate":1048576}]`, confine.ExtraNone),
		refused("HostConfig.BlkioDeviceReadIOps", `[{"Path":"/dev/null","Rate":1000}]`, confine.ExtraNone),
		refused("HostConfig.BlkioDeviceWriteIOps", `[{"Path":"/dev/null","Rate":1000}]`, confine.ExtraNone),
		refused("HostConfig.DeviceRequests", `[{"Driver":"x","Count":1,"Capabilities":[["x"]]}]`, confine.DevicesNone),
		refused("HostConfig.KernelMemory", `67108864`, confine.ExtraNone),
		refused("HostConfig.KernelMemoryTCP", `67108864`, confine.ExtraNone),
		refused("HostConfig.MemoryReservation", `67108864`, confine.ExtraNone),
		refused("HostConfig.MemorySwappiness", `10`, confine.ExtraNone),
		refused("HostConfig.CpuRealtimePeriod", `1000000`, confine.CPUExact),
		refused("HostConfig.CpuRealtimeRuntime", `1000`, confine.CPUExact),
		refused("HostConfig.CpuCount", `1`, confine.ExtraNone),
		by("dropped", "HostConfig.CpuPercent", `1`),
		by("refused", "HostConfig.IOMaximumIOps", `1`),
		by("refused", "HostConfig.IOMaximumBandwidth", `1`),
		refused("HostConfig.Mounts", `[{"Type":"tmpfs","Target":"/t","TmpfsOptions":{"SizeBytes":4096,"Mode":511}}]`, confine.MountsNone, confine.TmpfsNone),
		refused("HostConfig.Mounts", `[{"Type":"bind","Source":"/tmp","Target":"/t","BindOptions":{"NonRecursive":true}}]`, confine.BindsNone, confine.MountsNone),
		refused("HostConfig.Mounts", `[{"Type":"volume","Target":"/t","VolumeOptions":{"NoCopy":true,"Labels":{"postern":"1"},"DriverConfig":{"Name":"local"}}}]`, confine.MountsNone, confine.VolumesNone),
		by("refused", "HostConfig.Mounts", `[{"Type":"image","Source":"x","Target":"/t"}]`),
		by("refused", "HostConfig.Mounts", `[{"Type":"cluster","Source":"x","Target":"/t"}]`),
		by("refused", "HostConfig.Mounts", `[{"Type":"npipe","Source":"x","Target":"/t"}]`),
		refused("NetworkingConfig.EndpointsConfig", `{"none":{"Aliases":["x"]}}`, confine.NetworkNone),
		refused("NetworkingConfig.EndpointsConfig", `{"none":{"Links":["x:y"]}}`, confine.NetworkNone),
		by("client", "NetworkingConfig.EndpointsConfig", `{"none":{"MacAddress":"02:42:ac:11:00:02"}}`),
		refused("NetworkingConfig.EndpointsConfig", `{"none":{"DriverOpts":{"a":"b"}}}`, confine.NetworkNone),
		refused("NetworkingConfig.EndpointsConfig", `{"none":{"IPAMConfig":{"IPv4Address":"10.9.9.9"}}}`, confine.NetworkNone),
		refused("NetworkingConfig.EndpointsConfig", `{"none":{"IPAddress":"10.9.9.9"}}`, confine.NetworkNone),
		by("dropped", "NetworkingConfig.EndpointsConfig", `{"none":{"DNSNames":["x"],"GwPriority":5}}`),
		refused("NetworkingConfig.EndpointsConfig", `{"bridge":{}}`, confine.NetworkNone, confine.NetworksNone),
		by("refused", "NetworkingConfig.EndpointsConfig", `{"none":{},"bridge":{}}`),
	}
}

func TestEverythingElse(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	image, err := e.InspectImage(t.Context(), img)
	if err != nil {
		t.Fatal(err)
	}
	plain := unnamed(inspected(t, e, created(t, e, img, confine.Reference())))
	for _, c := range everythingElse() {
		t.Run(c.path+" "+c.value, func(t *testing.T) {
			p := confine.Reference()
			p.Extra = map[string]string{c.path: c.value}
			id, err := e.Create(t.Context(), img, p, labelled())
			if errors.Is(err, ErrRefused) {
				if c.engine != "refused" {
					t.Errorf("the Engine would not create it: %v", err)
				}
				return
			}
			if err != nil {
				if c.engine != "client" {
					t.Errorf("not sent: %v", err)
				}
				return
			}
			defer removed(t, e, id)
			account := inspected(t, e, id)
			got := controls(confine.Merge(Admit(confine.Reference(), img, account), AdmitCommand(image, account)))
			if !slices.Equal(got, c.refused) {
				t.Errorf("refused for %v, want %v", got, c.refused)
			}
			if dropped := bytes.Equal(unnamed(account), plain); dropped != (c.engine == "dropped") {
				t.Errorf("the account is that of the reference: %t", dropped)
			}
		})
	}
}

// unnamed takes out of an account what differs from container to container.
func unnamed(raw []byte) []byte {
	raw = regexp.MustCompile(`"Name":"/[^"]*"`).ReplaceAll(raw, nil)
	raw = regexp.MustCompile(`[0-9a-f]{64}(-init)?|"Hostname":"[^"]*"|"20\d\d-[^"]*"`).ReplaceAll(raw, nil)
	return bytes.ReplaceAll(raw, []byte(":[]"), []byte(":null"))
}

func TestExtraIsAddressedExactly(t *testing.T) {
	for path, value := range map[string]string{
		"":                        "1",
		"Config":                  `{"Hostnam":"x"}`,
		"config.hostname":         `"x"`,
		"Config.Novelty":          `"x"`,
		"HostConfig.Memory":       `"many"`,
		"HostConfig.Memory.":      `1`,
		"HostConfig.PidsLimit":    `1} {`,
		"HostConfig.Binds":        ``,
		"HostConfig.Ulimits.Name": `"x"`,
	} {
		p := confine.Reference()
		p.Extra = map[string]string{path: value}
		if _, _, _, err := Render(p, testImage(), nil); err == nil {
			t.Errorf("%q = %s is rendered", path, value)
		}
	}
}

// Every path can be asked for, and changes what is rendered.
func TestExtraReachesEveryField(t *testing.T) {
	reference := rendered(t, confine.Reference())
	for _, f := range Fields() {
		reached := slices.ContainsFunc(everythingElse(), func(c asked) bool {
			return c.path == f.Path || strings.HasPrefix(f.Path, c.path+".")
		})
		if !reached && f.Control == confine.ExtraNone {
			t.Errorf("%s has no profile field, and no case here asks for it", f.Path)
		}
	}
	for _, c := range everythingElse() {
		owner, ok := OwnerOf(c.path)
		if c.refused != nil && c.path != "HostConfig.SecurityOpt" && (!ok || !slices.Contains(c.refused, owner)) {
			t.Errorf("%s is refused for %v, and belongs to %s", c.path, c.refused, owner)
		}
		p := confine.Reference()
		p.Extra = map[string]string{c.path: c.value}
		if rendered(t, p) == reference {
			t.Errorf("%s = %s renders as the reference", c.path, c.value)
		}
	}
}
