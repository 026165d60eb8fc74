package gateway

import "postern/gateway/confine"

// Controls of the gateway itself.
const (
	// CeilingPublicTool keeps what is more than public from the public sink.
	CeilingPublicTool confine.Control = "ceiling.public-tool"
)

// Controls lists every control of the subject: the sandbox's, the host's and
// the gateway's own.
func Controls() []confine.ControlInfo {
	return append(confine.Controls(), confine.ControlInfo{
		ID: CeilingPublicTool, Title: "nothing above public to the public sink",
	})
}
