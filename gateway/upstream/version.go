package upstream

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// versions are those of the protocol with which a server may answer the
// gateway's introduction, which offers the first. What is newer has no
// introduction: a server that speaks it says so when it is asked what it supports.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// ErrVersion is what Start returns where a server answers with a version of the
// protocol that the gateway does not speak.
var ErrVersion = errors.New("the tool server speaks no version of the protocol that the gateway speaks")

// greeting is the introduction of one connection.
type greeting struct {
	weak HandshakeWeakness

	mu      sync.Mutex
	id      jsonrpc.ID // of the request
	unknown bool       // a version was answered that is not spoken
}

// asks notes the introduction on its way to the server.
func (g *greeting) asks(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "initialize" {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.id = r.ID
	}
}

// hears holds the answer to versions. The protocol library, which does so as well,
// would not tell a version that it does not know from a server that is gone.
func (g *greeting) hears(m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error != nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.id.IsValid() || r.ID != g.id {
		return nil
	}
	var said map[string]json.RawMessage
	var version string
	if json.Unmarshal(r.Result, &said) != nil {
		return nil // the library says what it is
	}
	if json.Unmarshal(said["protocolVersion"], &version) == nil && slices.Contains(versions, version) {
		return nil
	}
	if !g.weak.AnyVersion {
		g.unknown = true
		return ErrVersion
	}
	var err error
	said["protocolVersion"], _ = json.Marshal(versions[0])
	r.Result, err = json.Marshal(said)
	return err
}

// refused reports whether the version is why there is no session.
func (g *greeting) refused() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unknown
}
