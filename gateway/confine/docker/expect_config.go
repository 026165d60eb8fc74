package docker

import (
	"strings"

	"postern/gateway/confine"
)

// defaultPath is the one variable that a Dockerfile's build puts into an image
// by itself.
const defaultPath = `["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]`

// configExpectations are Config, which mixes what was asked for with what the
// image says of itself.
func configExpectations() []expectation {
	unknown, extra := confine.Unrecognised, confine.ExtraNone
	return []expectation{
		// The Engine's own choice, unless the host's name is shared.
		{path: "Config.Hostname", control: confine.UTSPrivate, allows: phrase(func(s string, a *account) bool { return ownName(s, a) || !sharesName(a) || ofPeer(a) })},
		{path: "Config.Hostname", control: confine.HostnameDefault, allows: phrase(func(s string, a *account) bool { return ownName(s, a) || sharesName(a) || ofPeer(a) })},
		{path: "Config.Domainname", control: confine.HostnameDefault, allows: is(`""`)},
		{path: "Config.User", control: confine.UserNonroot, allows: phrase(func(s string, a *account) bool { return s == a.want.User })},
		{path: "Config.AttachStdin", control: extra, allows: is(`true`)},
		{path: "Config.AttachStdout", control: extra, allows: is(`true`)},
		{path: "Config.AttachStderr", control: extra, allows: is(`true`)},
		{path: "Config.OpenStdin", control: extra, allows: is(`true`)},
		{path: "Config.StdinOnce", control: extra, allows: is(`true`)},
		{path: "Config.Tty", control: confine.TTYOff, allows: is(`false`)},
		{path: "Config.Env", control: confine.EnvNone, allows: is(`null`, `[]`, defaultPath)},
		{path: "Config.Image", control: confine.ImageImmutable, allows: theImage()},
		{path: "Config.Volumes", control: confine.VolumesNone, allows: empty()},
		{path: "Config.WorkingDir", control: confine.WorkDirRoot, allows: is(`""`, `"/"`)},
		{path: "Config.Cmd", control: confine.CommandImage, allows: words()},
		{path: "Config.Entrypoint", control: confine.CommandImage, allows: words()},
		{path: "Config.OnBuild", control: extra, allows: empty()},
		{path: "Config.Labels", control: unknown, allows: labels()},

		// Only there when set.
		{path: "Config.StopSignal", control: confine.StopDefault, allows: is(`""`), optional: true},
		{path: "Config.StopTimeout", control: confine.StopDefault, allows: is(`null`), optional: true},
		{path: "Config.Shell", control: extra, allows: empty(), optional: true},
		{path: "Config.ArgsEscaped", control: extra, allows: is(`false`), optional: true},
		{path: "Config.ExposedPorts", control: confine.PortsNone, allows: empty(), optional: true},
		{path: "Config.Healthcheck", control: confine.HealthcheckNone, allows: is(`null`), optional: true},
		{path: "Config.NetworkDisabled", control: extra, allows: is(`false`), optional: true},
		{path: "Config.MacAddress", control: confine.NetworkNone, allows: is(`""`), optional: true},
	}
}

// ownName is the Engine's choice of a host name.
func ownName(s string, a *account) bool { return len(a.id()) == 64 && s == a.id()[:12] }

// sharesName tells a container that has the host's name because it shares the
// namespace of names, which the host's network brings with it.
func sharesName(a *account) bool {
	return text(a.values["HostConfig.UTSMode"]) != "" || text(a.values["HostConfig.NetworkMode"]) == "host"
}

// ofPeer tells a container that is in the network of another, which brings
// that one's name and files; it is refused for the network.
func ofPeer(a *account) bool {
	return strings.HasPrefix(text(a.values["HostConfig.NetworkMode"]), "container:")
}
