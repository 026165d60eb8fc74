package upstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// List asks the server for its tools and returns the digest of each tool's
// definition by the tool's name.
func (c *Client) List(ctx context.Context) (map[string]string, error) {
	return c.list(ctx, Weakness{})
}

func (c *Client) list(ctx context.Context, w Weakness) (map[string]string, error) {
	digests := make(map[string]string)
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("listing tools: %w", classify(err))
		}
		if _, twice := digests[tool.Name]; twice && !w.NamesTwice || len(digests) == maxTools {
			return nil, errors.New("listing tools: too many, or one name twice")
		}
		digest, err := definition(tool)
		if err != nil {
			return nil, err
		}
		digests[tool.Name] = digest
	}
	return digests, nil
}

// definition is the SHA-256, in hexadecimal digits, of a tool's definition as
// canonical JSON (RFC 8785), descriptions and schemas included. Members that
// the protocol library does not know are not part of it.
func definition(tool *mcp.Tool) (string, error) {
	encoded, err := json.Marshal(tool)
	if err != nil {
		return "", errors.New("listing tools: a definition cannot be encoded")
	}
	value := jsontext.Value(encoded)
	if err := value.Canonicalize(); err != nil {
		return "", errors.New("listing tools: a definition has no canonical form")
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:]), nil
}

// Pinned checks that every pinned tool is listed as it was pinned. A listed
// tool without a pin is no error: nothing can be called without one.
func Pinned(listed, pins map[string]string) error { return pinned(listed, pins, Weakness{}) }

func pinned(listed, pins map[string]string, w Weakness) error {
	for _, tool := range slices.Sorted(maps.Keys(pins)) {
		digest, ok := listed[tool]
		switch {
		case !ok && w.Unlisted, pins[tool] == "" && w.Unpinned, pins[tool] != "" && w.Drifted:
			continue
		case !ok:
			return fmt.Errorf("tool %q of the catalogue is not listed by the server", tool)
		case pins[tool] == "":
			return fmt.Errorf("tool %q of the catalogue is not pinned to a definition", tool)
		case digest != pins[tool]:
			return fmt.Errorf("tool %q of the catalogue is defined otherwise than it was pinned", tool)
		}
	}
	return nil
}
