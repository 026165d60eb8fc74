package mutants

import (
	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway/confine"
)

// askedOfMounts lists mounts in the API's own form, which none of the older
// fields for binds, volumes and memory filesystems knows of.
func askedOfMounts() []asked {
	const target = `"Target":"/mnt/shared"`
	bind := func(name, options, why string, unless Unless) asked {
		return asked{
			name: name, path: "HostConfig.Mounts", value: `[{"Type":"bind","Source":"$shared",` + target + options + `}]`, why: why,
			also: []confine.Control{confine.BindsNone}, needs: []Need{NeedShared}, unless: unless, opens: []channel.ID{channel.FileBind},
		}
	}
	volume := func(name, options, why string, unless Unless) asked {
		return asked{
			name: name, path: "HostConfig.Mounts", value: `[{"Type":"volume","Source":"$volume","Target":"` + fixtures.VolumeDir + `"` + options + `}]`, why: why,
			also: []confine.Control{confine.VolumesNone}, needs: []Need{NeedVolume}, unless: unless, opens: []channel.ID{channel.FileVolume},
		}
	}
	memory := func(name, options, why string, unless Unless, opens ...channel.ID) asked {
		return asked{
			name: name, path: "HostConfig.Mounts", value: `[{"Type":"tmpfs","Target":"/mnt/memory","TmpfsOptions":{` + options + `}}]`, why: why,
			also: []confine.Control{confine.TmpfsNone}, unless: unless, opens: opens,
		}
	}
	readonly := bind("mount-readonly", `,"ReadOnly":true`, "a directory of the host is mounted to be read", Unless{})
	readonly.opens = nil
	readonly.inert = "nothing-to-write"
	return []asked{
		bind("mount-bind", ``, "a directory of the host that any user may write is mounted", Unless{}),
		readonly,
		bind("mount-consistent", `,"Consistency":"cached"`, "the same, as it may be out of date", Unless{}),
		bind("mount-shared", `,"BindOptions":{"Propagation":"rshared"}`, "the same, and what is mounted below it on either side is mounted on the other", refuses("")),
		bind("mount-slave", `,"BindOptions":{"Propagation":"rslave"}`, "the same, and what the host mounts below it comes with it", refuses("")),
		bind("mount-flat", `,"BindOptions":{"NonRecursive":true}`, "the same, without what is mounted below it", Unless{}),
		bind("mount-made", `,"BindOptions":{"CreateMountpoint":true}`, "the same, made where it is missing", drops("1.42")),
		bind("mount-read-flat", `,"BindOptions":{"ReadOnlyNonRecursive":true}`, "the same, with what is below it to be written", drops("1.44")),
		bind("mount-read-deep", `,"BindOptions":{"ReadOnlyForceRecursive":true}`, "the same, with what is below it to be read alone", keeps("1.44")),
		volume("mount-volume", ``, "a volume that any user may write is mounted", Unless{}),
		volume("mount-described", `,"VolumeOptions":{"NoCopy":true,"Labels":{"postern":"1"},"DriverConfig":{"Name":"local","Options":{}}}`, "the same, with words for who makes it", Unless{}),
		volume("mount-driver", `,"VolumeOptions":{"DriverConfig":{"Name":"local","Options":{"type":"none"}}}`, "the same, with options for its driver", Unless{}),
		volume("mount-part", `,"VolumeOptions":{"Subpath":"part"}`, "a directory of a volume is mounted", drops("1.45")),
		memory("mount-memory", `"SizeBytes":1048576,"Mode":1023`, "a memory filesystem is mounted", Unless{}, channel.FileMemory),
		memory("mount-options", `"SizeBytes":16777216,"Mode":1023,"Options":[["exec"]]`, "the same, from which programs may run", drops("1.46"), channel.FileMemory, channel.FileProgram),
		{name: "mount-cluster", path: "HostConfig.Mounts", value: `[{"Type":"cluster","Source":"x",` + target + `,"ClusterOptions":{}}]`, unless: refuses(""), inert: "no-cluster", why: "a volume of a cluster is mounted"},
		{name: "mount-image", path: "HostConfig.Mounts", value: `[{"Type":"image","Source":"x",` + target + `,"ImageOptions":{"Subpath":"x"}}]`, unless: refuses(""), inert: "no-such-image", why: "another image is mounted"},
		{name: "mount-pipe", path: "HostConfig.Mounts", value: `[{"Type":"npipe","Source":"x",` + target + `}]`, unless: refuses(""), inert: "windows-alone", why: "a pipe of another system is mounted"},
	}
}

// askedOfNetworks lists what can be asked of the network that is none. Another
// network in its place is one more that is joined.
func askedOfNetworks() []asked {
	endpoint := func(name, options, why string, unless Unless) asked {
		return asked{
			name: name, path: "NetworkingConfig.EndpointsConfig", value: `{"none":{` + options + `}}`, why: why,
			unless: unless, inert: "no-interface",
		}
	}
	return []asked{
		endpoint("endpoint-alias", `"Aliases":["x"]`, "another name in a network that is none", refuses("")),
		endpoint("endpoint-link", `"Links":["x:y"]`, "the name of another container in a network that is none", Unless{}),
		endpoint("endpoint-driver", `"DriverOpts":{"a":"b"}`, "words for the driver of a network that is none", Unless{}),
		endpoint("endpoint-mac", `"MacAddress":"02:42:ac:11:00:02"`, "a chosen address of an interface that is none", keeps("1.44")),
		endpoint("endpoint-fourth", `"IPAMConfig":{"IPv4Address":"10.9.9.9"}`, "a chosen address of version 4 in a network that is none", refuses("")),
		endpoint("endpoint-sixth", `"IPAMConfig":{"IPv6Address":"fd00::9"}`, "a chosen address of version 6 in a network that is none", refuses("")),
		endpoint("endpoint-local", `"IPAMConfig":{"LinkLocalIPs":["169.254.9.9"]}`, "a chosen address of the link in a network that is none", Unless{}),
		endpoint("endpoint-names", `"DNSNames":["x"]`, "further names in a network that is none", drops("1.44")),
		endpoint("endpoint-gateway", `"GwPriority":5`, "a place before other gateways", drops("1.48")),
	}
}
