package mcpserver

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"postern/gateway/frame"
)

// The words that a client reads beside those of the gateway's replies.
const (
	wordFrame    = "frame-refused"
	wordInternal = "gateway-unavailable"
)

// wordOf is the fixed word for a JSON-RPC error.
func wordOf(code int64) string {
	switch code {
	case jsonrpc.CodeParseError:
		return wordFrame
	case jsonrpc.CodeInvalidRequest:
		return "invalid-request"
	case jsonrpc.CodeMethodNotFound:
		return "unknown-method"
	case jsonrpc.CodeInvalidParams:
		return "invalid-params"
	}
	return "refused"
}

// fixed is a message for a client, with a word in place of what the library
// says of an error: that quotes what the client sent.
func fixed(m jsonrpc.Message) jsonrpc.Message {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error == nil {
		return m
	}
	code := int64(jsonrpc.CodeInternalError)
	if e, ok := r.Error.(*jsonrpc.Error); ok {
		code = e.Code
	}
	return refusal(r.ID, code)
}

// malformed is the answer to a message that is none, with the word of package
// frame for why.
func malformed(err error) *jsonrpc.Response {
	r := &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: wordFrame}
	var refused *frame.Refusal
	if errors.As(err, &refused) {
		r.Message += ": " + string(refused.Code)
	}
	return &jsonrpc.Response{Error: r}
}

func refusal(id jsonrpc.ID, code int64) *jsonrpc.Response {
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: wordOf(code)}}
}
