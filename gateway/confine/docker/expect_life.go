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
		{path: "ExecIDs", control: confine.ExecNone, allows: empty()},
		{path: "Mounts", control: confine.BindsNone, allows: noMount(otherMount)},
		{path: "Mounts", control: confine.VolumesNone, allows: noMount(volumeMount)},
		{path: "Mounts", control: confine.TmpfsNone, allows: noMount(tmpfsMount)},

		{path: "GraphDriver.Name", control: unknown, allows: is(`"overlay2"`, `"fuse-overlayfs"`)},
		{path: "GraphDriver.Data.LowerDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.MergedDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.UpperDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.WorkDir", control: unknown, allows: absolute()},
		{path: "GraphDriver.Data.ID", control: unknown, allows: id64(), optional: true}, // Engine 25 and later

		// One that runs at its end was started again; a paused one was changed;
		// one that goes away was to be removed.
		{path: "State.Status", control: unknown, allows: lives(is(`"created"`, `"running"`), is(`"created"`, `"running"`), is(`"exited"`, `"running"`, `"restarting"`, `"paused"`, `"removing"`, `"dead"`))},
		{path: "State.Status", control: confine.RestartNone, allows: lives(anything(), anything(), isNot(`"running"`, `"restarting"`))},
		{path: "State.Status", control: confine.Unchanged, allows: isNot(`"paused"`)},
		{path: "State.Status", control: confine.AutoremoveOff, allows: isNot(`"removing"`, `"dead"`)},
		{path: "State.Running", control: unknown, allows: lives(is(`false`), is(`true`), ifExited(is(`false`)))},
		{path: "State.Paused", control: confine.Unchanged, allows: is(`false`)},
		{path: "State.Restarting", control: confine.RestartNone, allows: is(`false`)},
		{path: "State.OOMKilled", control: unknown, allows: lives(is(`false`), is(`false`), is(`false`, `true`))},
		{path: "State.Dead", control: confine.AutoremoveOff, allows: is(`false`)},
		{path: "State.Pid", control: unknown, allows: lives(is(`0`), positive(), ifExited(is(`0`)))},
		{path: "State.ExitCode", control: unknown, allows: lives(is(`0`), is(`0`), either(is(`0`), positive()))},
		{path: "State.Error", control: unknown, allows: is(`""`)},
		{path: "State.StartedAt", control: unknown, allows: stages(is(`"`+zeroTime+`"`), instant())},
		{path: "State.FinishedAt", control: unknown, allows: lives(is(`"`+zeroTime+`"`), is(`"`+zeroTime+`"`), ifExited(instant()))},
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

// ifExited leaves alone what goes with a container that has not ended, which
// is refused by its status.
func ifExited(strict allow) allow {
	return func(v jsontext.Value, a *account) bool {
		return text(a.values["State.Status"]) != "exited" || strict(v, a)
	}
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
