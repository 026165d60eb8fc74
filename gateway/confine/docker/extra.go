package docker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/network"
)

// request is the create request as the API has it, by the names in its JSON.
type request struct {
	Config           *container.Config
	HostConfig       *container.HostConfig
	NetworkingConfig *network.NetworkingConfig
}

// set gives a field of the request, named by its path, the value of a JSON
// text. A path that the table of fields does not have is an error.
func (r *request) set(extra map[string]string) error {
	for _, path := range slices.Sorted(maps.Keys(extra)) {
		if !addressable(path) {
			return fmt.Errorf("rendering another field of the create request: no field %q in the table", path)
		}
		text := []byte(extra[path])
		if !json.Valid(text) {
			return fmt.Errorf("rendering another field of the create request: the value of %s is no JSON", path)
		}
		steps := strings.Split(path, ".")
		for _, s := range slices.Backward(steps) {
			name, err := json.Marshal(s)
			if err != nil {
				return err
			}
			text = slices.Concat([]byte("{"), name, []byte(":"), text, []byte("}"))
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(r); err != nil {
			return fmt.Errorf("rendering another field of the create request: %s: %w", path, err)
		}
	}
	return nil
}

// addressable tells the paths of the table and of what they are in.
func addressable(path string) bool {
	return slices.ContainsFunc(Fields(), func(f Field) bool {
		return f.Path == path || strings.HasPrefix(f.Path, path+".")
	})
}
