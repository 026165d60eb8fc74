package mcpserver

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"postern/gateway/frame"
)

const (
	methodInitialize = "initialize"
	methodCall       = "tools/call"
)

// What a client may ask and tell. Nothing else reaches the library: not resources,
// prompts, completion, subscriptions, log levels, nor roots.
var (
	requests      = []string{methodInitialize, "ping", "tools/list", methodCall}
	notifications = []string{"notifications/initialized", "notifications/cancelled"}
)

// admitted is what becomes of a message that is well formed.
type admitted struct {
	request *jsonrpc.Request  // for the library
	answer  *jsonrpc.Response // instead of it; where both are nil the message is dropped
}

// envelope is the only form of a message: a request or a notification. We ask
// nothing, so an answer from a client answers nothing.
type envelope struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params,omitzero"`
}

// call is the only form of a tool call's parameters.
type call struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments,omitzero"`
	Meta      jsontext.Value `json:"_meta,omitzero"` // stays here
}

// cancel is what counts of a cancellation; its reason may say anything and is
// left out.
type cancel struct {
	Request jsontext.Value `json:"requestId"`
}

// admit holds a message to the rules of package frame, and to the few methods
// that there are. The error is a *frame.Refusal, behind which no message can be
// trusted to be one.
func admit(message []byte, limit int) (admitted, error) {
	message, err := strict(message, limit)
	if err != nil {
		return admitted{}, err
	}
	var e envelope
	if json.Unmarshal(message, &e, json.RejectUnknownMembers(true)) != nil || e.Version != "2.0" || e.Method == "" {
		return admitted{answer: refusal(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest)}, nil
	}
	id, ok := identify(e.ID)
	switch {
	case !ok, e.Params != nil && e.Params.Kind() != jsontext.KindBeginObject:
		return admitted{answer: refusal(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest)}, nil
	case !id.IsValid() && !slices.Contains(notifications, e.Method):
		return admitted{}, nil // a notification asks for no answer
	case id.IsValid() && !slices.Contains(requests, e.Method):
		return admitted{answer: refusal(id, jsonrpc.CodeMethodNotFound)}, nil
	}
	params, ok := parameters(e)
	if !ok {
		return admitted{answer: refusal(id, jsonrpc.CodeInvalidParams)}, nil
	}
	return admitted{request: &jsonrpc.Request{ID: id, Method: e.Method, Params: params}}, nil
}

// strict is a message without blanks between its tokens, once the decoder of
// frames has taken it for an object that every reader reads alike.
func strict(message []byte, limit int) ([]byte, error) {
	if len(message) > limit {
		return nil, &frame.Refusal{Code: frame.Oversized}
	}
	if bytes.HasPrefix(message, []byte("\ufeff")) {
		return nil, &frame.Refusal{Code: frame.ByteOrderMark}
	}
	message = compact(message)
	const head, tail = `{"operation":"message","arguments":`, `}`
	line := slices.Concat([]byte(head), message, []byte(tail))
	f, err := frame.Decode(line, frame.Limits{Bytes: len(line)})
	if refused, ok := errors.AsType[*frame.Refusal](err); ok && refused.Code == frame.ArgumentsType {
		return nil, &frame.Refusal{Code: noObject(message)}
	}
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(f.Arguments, message) { // it reached out of its place
		return nil, &frame.Refusal{Code: frame.NotJSON}
	}
	return message, nil
}

// noObject is the word for what is something else than an object.
func noObject(message []byte) frame.Code {
	switch jsontext.Value(message).Kind() {
	case jsontext.KindBeginArray:
		return frame.Batch
	case jsontext.KindInvalid, jsontext.KindEndObject, jsontext.KindEndArray:
		return frame.NotJSON
	}
	return frame.NotObject
}

// compact drops the blanks between tokens, of which the ends of lines are some
// in JSON, and in a frame are not. What is no JSON stays as it is: the decoder
// of frames says why.
func compact(text []byte) []byte {
	v := jsontext.Value(bytes.Clone(text))
	if v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return text
	}
	return v
}

// identify reads a request's id: an integer, or a text. Null is none.
func identify(raw jsontext.Value) (jsonrpc.ID, bool) {
	var v any
	switch raw.Kind() {
	case jsontext.KindInvalid:
		return jsonrpc.ID{}, len(raw) == 0
	case jsontext.KindString:
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return jsonrpc.ID{}, false
		}
		v = text
	case jsontext.KindNumber:
		var n int64
		if json.Unmarshal(raw, &n) != nil {
			return jsonrpc.ID{}, false
		}
		v = float64(n) // exact: a frame has no integer above 2^53
	default:
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(v)
	return id, err == nil
}

// parameters are what goes on of a message's parameters.
func parameters(e envelope) ([]byte, bool) {
	switch e.Method {
	case methodCall:
		var c call
		if json.Unmarshal(e.Params, &c, json.RejectUnknownMembers(true)) != nil || c.Name == "" {
			return nil, false
		}
		if c.Arguments != nil && c.Arguments.Kind() != jsontext.KindBeginObject {
			return nil, false
		}
		c.Meta = nil
		out, err := json.Marshal(c)
		return out, err == nil
	case "notifications/cancelled":
		var c cancel
		if json.Unmarshal(e.Params, &c) != nil {
			return nil, false
		}
		out, err := json.Marshal(c)
		return out, err == nil
	case "notifications/initialized", "ping", "tools/list":
		return nil, true // what they bring is a cursor of ours, which we never gave, and _meta
	}
	return e.Params, true
}
