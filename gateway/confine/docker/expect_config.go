package docker

import "postern/gateway/confine"

// defaultPath is the one variable that a Dockerfile's build puts into an image
// by itself.
const defaultPath = `["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]`

// configExpectations are Config, which mixes what was asked for with what the
// image says of itself.
func configExpectations() []expectation {
	unknown := confine.Unrecognised
	return []expectation{
		// The Engine's own choice unless the host's name is shared.
		{path: "Config.Hostname", control: confine.UTSPrivate, allows: phrase(func(s string, a *account) bool {
			return len(a.id()) == 64 && s == a.id()[:12]
		})},
		{path: "Config.Domainname", control: confine.UTSPrivate, allows: is(`""`)},
		{path: "Config.User", control: confine.UserNonroot, allows: phrase(func(s string, a *account) bool { return s == a.want.User })},
		{path: "Config.AttachStdin", control: unknown, allows: is(`true`)},
		{path: "Config.AttachStdout", control: unknown, allows: is(`true`)},
		{path: "Config.AttachStderr", control: unknown, allows: is(`true`)},
		{path: "Config.OpenStdin", control: unknown, allows: is(`true`)},
		{path: "Config.StdinOnce", control: unknown, allows: is(`true`)},
		{path: "Config.Tty", control: confine.TTYOff, allows: is(`false`)},
		{path: "Config.Env", control: unknown, allows: is(`null`, `[]`, defaultPath)},
		{path: "Config.Image", control: confine.ImageImmutable, allows: theImage()},
		{path: "Config.Volumes", control: confine.VolumesNone, allows: empty()},
		{path: "Config.WorkingDir", control: unknown, allows: is(`""`, `"/"`)},
		{path: "Config.Cmd", control: unknown, allows: words()},
		{path: "Config.Entrypoint", control: unknown, allows: words()},
		{path: "Config.OnBuild", control: unknown, allows: empty()},
		{path: "Config.Labels", control: unknown, allows: labels()},

		// Only there when set.
		{path: "Config.ExposedPorts", control: confine.PortsNone, allows: empty(), optional: true},
		{path: "Config.Healthcheck", control: confine.HealthcheckNone, allows: is(`null`), optional: true},
		{path: "Config.NetworkDisabled", control: unknown, allows: is(`false`), optional: true},
		{path: "Config.MacAddress", control: confine.NetworkNone, allows: is(`""`), optional: true},
	}
}
