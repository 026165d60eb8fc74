package docker

import (
	"strings"
	"time"

	"postern/gateway/confine"

	"github.com/go-json-experiment/json/jsontext"
)

// zeroTime is how the Engine says "never".
const zeroTime = "0001-01-01T00:00:00Z"

// lifeExpectations are the top of the account and its state. Values that
// differ from container to container are held to their form.
func lifeExpectations() []expectation {
	unknown := confine.Unrecognised
	return []expectation{
		{path: "Id", control: unknown, allows: id64()},
		{path: "Created", control: unknown, allows: instant()},
		{path: "Path", control: unknown, allows: phrase(func(s string, _ *account) bool { return s != "" })},
		{path: "Args", control: unknown, allows: words()},
		{path: "Image", control: confine.ImageImmutable, allows: theImage()},
		{path: "ResolvConfPath", control: unknown, allows: ownFile("resolv.conf")},
		{path: "HostnamePath", control: unknown, allows: ownFile("hostname")},
		{path: "HostsPath", control: unknown, allows: ownFile("hosts")},
		{path: "LogPath", control: confine.LogNone, allows: is(`""`)},
		{path: "Name", control: unknown, allows: absolute()},
		{path: "RestartCount", control: confine.RestartNone, allows: is(`0`)},
		{path: "Driver", control: unknown, allows: is(`"overlay2"`, `"fuse-overlayfs"`)},
		{path: "Platform", control: unknown, allows: is(`"linux"`)},
		{path: "MountLabel", control: confine.LSMDefault, allows: is(`""`)},
		{path: "ProcessLabel", control: confine.LSMDefault, allows: is(`""`)},
		// Named by the Engine at start, on a host that has AppArmor.
		{path: "AppArmorProfile", control: confine.LSMDefault, allows: is(`""`, `"docker-default"`)},
		{path: "ExecIDs", control: unknown, allows: is(`null`)},
		{path: "Mounts", control: confine.BindsNone, allows: noMount(otherMount)},
		{path: "Mounts", control: confine.VolumesNone, allows: noMount(volumeMount)},
		{path: "Mounts", control: confine.TmpfsNone, allows: noMount(tmpfsMount)},

		{path: "GraphDriver.Name", control: unknown, allows: is(`"overlay2"`, `"fuse-overlayfs"`)},
		{path: "GraphDriver.Data.LowerDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.MergedDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.UpperDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.WorkDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.ID", control: unknown, allows: id64(), optional: true}, // Engine 25 and later

		{path: "State.Status", control: unknown, allows: is(`"created"`, `"running"`)},
		{path: "State.Running", control: unknown, allows: stages(is(`false`), is(`true`))},
		{path: "State.Paused", control: unknown, allows: is(`false`)},
		{path: "State.Restarting", control: confine.RestartNone, allows: is(`false`)},
		{path: "State.OOMKilled", control: unknown, allows: is(`false`)},
		{path: "State.Dead", control: unknown, allows: is(`false`)},
		{path: "State.Pid", control: unknown, allows: stages(is(`0`), positive())},
		{path: "State.ExitCode", control: unknown, allows: is(`0`)},
		{path: "State.Error", control: unknown, allows: is(`""`)},
		{path: "State.StartedAt", control: unknown, allows: stages(is(`"`+zeroTime+`"`), instant())},
		{path: "State.FinishedAt", control: unknown, allows: is(`"` + zeroTime + `"`)},
		{path: "State.Health", control: confine.HealthcheckNone, allows: never(), optional: true},
	}
}

// instant allows a time that was.
func instant() allow {
	return phrase(func(s string, _ *account) bool {
		_, err := time.Parse(time.RFC3339Nano, s)
		return err == nil && s != zeroTime
	})
}

// positive allows a whole number above zero.
func positive() allow {
	return func(v jsontext.Value, _ *account) bool {
		return len(v) > 0 && v[0] != '0' && strings.Trim(string(v), "0123456789") == ""
	}
}

// theImage allows the id that was asked for.
func theImage() allow {
	return phrase(func(s string, a *account) bool { return imageID(s) && s == a.image })
}

func volumeMount(kind string) bool { return kind == "volume" }
func tmpfsMount(kind string) bool  { return kind == "tmpfs" }
func otherMount(kind string) bool  { return !volumeMount(kind) && !tmpfsMount(kind) }
