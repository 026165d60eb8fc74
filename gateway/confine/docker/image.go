package docker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"postern/gateway/confine"

	"github.com/docker/docker/client"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// InspectImage is the Engine's account of an image, byte for byte, for AdmitImage.
func (e *Engine) InspectImage(ctx context.Context, image string) ([]byte, error) {
	if !imageID(image) {
		return nil, errors.New("inspecting an image: it must be named by its id, sha256: and 64 hex digits")
	}
	var raw bytes.Buffer
	if _, err := e.api.ImageInspect(ctx, image, client.ImageInspectWithRawResponse(&raw)); err != nil {
		return nil, fmt.Errorf("inspecting an image: %w", err)
	}
	return raw.Bytes(), nil
}

// AdmitImage looks at what an image would add to a container by itself:
// volumes, a health check, ports, triggers. Its user is overridden, its files
// are not looked at: a set-user-id file is up to whoever builds the image.
func AdmitImage(image string, inspect []byte) []confine.Refusal {
	var account struct {
		ID     string `json:"Id"`
		Config map[string]jsontext.Value
	}
	if json.Unmarshal(inspect, &account) != nil || account.Config == nil {
		return confine.Refuse(confine.StageImage, []confine.Control{confine.Unrecognised})
	}
	var weak []confine.Control
	if !imageID(image) || account.ID != image {
		weak = append(weak, confine.ImageImmutable)
	}
	table := imageExpectations()
	for name, v := range account.Config {
		e, known := table[name]
		if !known {
			weak = append(weak, confine.Unrecognised)
			continue
		}
		if v.Compact() != nil || !e.allows(v, nil) {
			weak = append(weak, e.control)
		}
	}
	return confine.Refuse(confine.StageImage, weak)
}

// imageExpectations are the keys of an image's Config. Later Engines leave out
// what is empty, so none is required; each is settled again in the container's.
func imageExpectations() map[string]expectation {
	unknown := confine.Unrecognised
	out := map[string]expectation{
		"Volumes":      {control: confine.VolumesNone, allows: empty()},
		"ExposedPorts": {control: confine.PortsNone, allows: empty()},
		"Healthcheck":  {control: confine.HealthcheckNone, allows: is(`null`)},
		"OnBuild":      {control: confine.ImageImmutable, allows: empty()},
		"Env":          {control: confine.EnvNone, allows: is(`null`, `[]`, defaultPath)},
		"WorkingDir":   {control: confine.WorkDirRoot, allows: is(`""`, `"/"`)},
		"Tty":          {control: confine.TTYOff, allows: is(`false`)},
		"Labels":       {control: unknown, allows: anything()},
		"Image":        {control: unknown, allows: anything()}, // the layer below
		"User":         {control: unknown, allows: anything()}, // always overridden
		"Hostname":     {control: unknown, allows: anything()},
		"Domainname":   {control: confine.HostnameDefault, allows: is(`""`)},
		"StopSignal":   {control: confine.StopDefault, allows: is(`""`)},
		"Cmd":          {control: unknown, allows: words()},
		"Entrypoint":   {control: unknown, allows: words()},
	}
	for _, off := range []string{"AttachStdin", "AttachStdout", "AttachStderr", "OpenStdin", "StdinOnce"} {
		out[off] = expectation{control: unknown, allows: is(`false`)}
	}
	return out
}

// AdmitCommand compares what a container runs with what its image says: the
// one thing that admission allows and that only the image knows.
func AdmitCommand(image, inspect []byte) []confine.Refusal {
	var of, is struct {
		Path   string
		Args   []string
		State  struct{ Status string }
		Config *struct{ Entrypoint, Cmd []string }
	}
	stage := confine.StageCreated
	weak := []confine.Control{confine.CommandImage}
	if json.Unmarshal(image, &of) != nil || json.Unmarshal(inspect, &is) != nil || of.Config == nil || is.Config == nil {
		return confine.Refuse(stage, weak)
	}
	if is.State.Status == "running" {
		stage = confine.StageStarted
	}
	line := slices.Concat(of.Config.Entrypoint, of.Config.Cmd)
	if slices.Equal(of.Config.Entrypoint, is.Config.Entrypoint) && slices.Equal(of.Config.Cmd, is.Config.Cmd) &&
		slices.Equal(line, append([]string{is.Path}, is.Args...)) {
		weak = nil
	}
	return confine.Refuse(stage, weak)
}

func anything() allow { return func(jsontext.Value, *account) bool { return true } }
