package mutants

import "postern/gateway/confine"

func drops(since string) Unless   { return Unless{Fate: EngineDrops, Since: since} }
func refuses(since string) Unless { return Unless{Fate: EngineRefuses, Since: since} }
func keeps(since string) Unless   { return Unless{Fate: ClientKeeps, Since: since} }

// askedOfContainer lists what can be asked of the program and its streams.
func askedOfContainer() []asked {
	const streams Reason = "joined-all-the-same" // who attaches names the streams again
	return []asked{
		{name: "domain-name", path: "Config.Domainname", value: `"x.test"`, inert: fixedBefore, why: "the operator names the host's domain"},
		{name: "mac-address", path: "Config.MacAddress", value: `"02:42:ac:11:00:02"`, unless: drops(""), inert: "no-interface", why: "an address is chosen for an interface"},
		{name: "arguments", path: "Config.Cmd", value: `["again"]`, inert: fixedBefore, why: "the agent is started with another argument"},
		{name: "attach-stdin", path: "Config.AttachStdin", value: `false`, inert: streams, why: "the input is not said to be attached"},
		{name: "attach-stdout", path: "Config.AttachStdout", value: `false`, inert: streams, why: "the output is not said to be attached"},
		{name: "attach-stderr", path: "Config.AttachStderr", value: `false`, inert: streams, why: "the errors are not said to be attached"},
		{name: "stdin-closed", path: "Config.OpenStdin", value: `false`, unless: Unless{Fate: AgentEnds}, inert: "no-secret-comes-in", why: "the agent has no input"},
		{name: "stdin-again", path: "Config.StdinOnce", value: `false`, inert: "not-attached-twice", why: "the input stays open for another who attaches"},
		{name: "network-off", path: "Config.NetworkDisabled", value: `true`, also: []confine.Control{confine.NetworkNone, confine.Unrecognised}, inert: "no-interface", why: "the network is said to be off, in the way before network modes"},
		{name: "triggers", path: "Config.OnBuild", value: `["RUN x"]`, inert: "nothing-builds-on-it", why: "an instruction for whoever builds on the container"},
		{name: "shell", path: "Config.Shell", value: `["/x"]`, inert: "nothing-builds-on-it", why: "a shell for whoever builds on the container"},
		{name: "escaped", path: "Config.ArgsEscaped", value: `true`, inert: "windows-alone", why: "the command line is said to be escaped"},
		{name: "stop-at-once", path: "Config.StopTimeout", value: `0`, inert: killedAnyway, why: "the container would be given no time to end"},
		{name: "health-times", path: "Config.Healthcheck", value: `{"Test":["NONE"],"Interval":1000000000,"Timeout":1000000000,"StartPeriod":1000000000,"Retries":1}`,
			inert: "nothing-is-run", why: "times of a health check that is none"},
		{name: "health-start", path: "Config.Healthcheck", value: `{"Test":["NONE"],"StartInterval":1000000000}`, unless: keeps("1.44"),
			inert: "nothing-is-run", why: "the pace of a health check at the beginning"},
	}
}

// askedOfHost lists what can be asked of the Engine for the container.
func askedOfHost() []asked {
	return []asked{
		{name: "id-file", path: "HostConfig.ContainerIDFile", value: `"/tmp/x"`, inert: "client-writes-it", why: "a file for the container's id, which a client would write"},
		{name: "restart-count", path: "HostConfig.RestartPolicy", value: `{"Name":"on-failure","MaximumRetryCount":2}`, inert: "agent-does-not-fail", why: "the Engine would start the container twice again if its agent failed"},
		{name: "volume-driver", path: "HostConfig.VolumeDriver", value: `"local"`, inert: "no-volume-asked", why: "a driver for volumes that are not asked for"},
		{name: "console-size", path: "HostConfig.ConsoleSize", value: `[10,10]`, inert: "no-terminal", why: "the size of a terminal that is not asked for"},
		{name: "annotations", path: "HostConfig.Annotations", value: `{"a":"b"}`, unless: drops("1.43"), inert: fixedBefore, why: "words for the runtime"},
		{name: "cgroup-of", path: "HostConfig.Cgroup", value: `"container:x"`, inert: "engine-does-nothing", why: "the cgroup of another container, in a word that the Engine keeps and does not use"},
		{name: "storage-size", path: "HostConfig.StorageOpt", value: `{"size":"1G"}`, unless: refuses(""), inert: "root-is-read-only", why: "another size for the root filesystem"},
		{name: "isolation", path: "HostConfig.Isolation", value: `"default"`, inert: "windows-alone", why: "the isolation of another system"},
	}
}

// askedOfResources lists limits and weights that no other control is for.
func askedOfResources() []asked {
	const throttled Reason = "less-than-before"
	throttle := func(name, field, why string) asked {
		return asked{name: name, path: "HostConfig." + field, value: `[{"Path":"$block","Rate":1048576000}]`, needs: []Need{NeedBlock}, inert: throttled, why: why}
	}
	return []asked{
		{name: "io-weight", path: "HostConfig.BlkioWeight", value: `500`, unless: drops(""), inert: ownClock, why: "a weight among those who use the disk"},
		{name: "io-weights", path: "HostConfig.BlkioWeightDevice", value: `[{"Path":"$block","Weight":500}]`, needs: []Need{NeedBlock}, unless: drops(""), inert: ownClock, why: "a weight among those who use one disk"},
		throttle("read-bytes", "BlkioDeviceReadBps", "few bytes are read from a device at a time"),
		throttle("write-bytes", "BlkioDeviceWriteBps", "few bytes are written to a device at a time"),
		throttle("read-calls", "BlkioDeviceReadIOps", "a device is seldom read"),
		throttle("write-calls", "BlkioDeviceWriteIOps", "a device is seldom written to"),
		{name: "device-request", path: "HostConfig.DeviceRequests", value: `[{"Driver":"x","Count":1,"Capabilities":[["x"]],"Options":{"a":"b"}}]`, unless: refuses(""), inert: "no-such-driver", why: "a driver is asked for a device"},
		{name: "device-ids", path: "HostConfig.DeviceRequests", value: `[{"Driver":"x","DeviceIDs":["x"],"Capabilities":[["x"]]}]`, unless: refuses(""), inert: "no-such-driver", why: "a driver is asked for a device by its name"},
		{name: "kernel-memory", path: "HostConfig.KernelMemory", value: `67108864`, unless: drops(""), inert: throttled, why: "the kernel's memory is limited for itself"},
		{name: "socket-memory", path: "HostConfig.KernelMemoryTCP", value: `67108864`, unless: drops(""), inert: throttled, why: "the memory of sockets is limited for itself"},
		{name: "memory-kept", path: "HostConfig.MemoryReservation", value: `67108864`, inert: throttled, why: "a softer limit on memory is set besides"},
		{name: "swappiness", path: "HostConfig.MemorySwappiness", value: `10`, inert: "no-swap", why: "memory is swapped out less readily"},
		{name: "cpu-count", path: "HostConfig.CpuCount", value: `1`, inert: "windows-alone", why: "a number of CPUs, of another system"},
		{name: "cpu-percent", path: "HostConfig.CpuPercent", value: `1`, unless: drops(""), inert: "windows-alone", why: "a part of the CPUs, of another system"},
		{name: "io-calls", path: "HostConfig.IOMaximumIOps", value: `1`, unless: refuses(""), inert: "windows-alone", why: "a limit on the disk, of another system"},
		{name: "io-bytes", path: "HostConfig.IOMaximumBandwidth", value: `1`, unless: refuses(""), inert: "windows-alone", why: "a limit on the disk, of another system"},
	}
}
