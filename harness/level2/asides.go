package level2

import (
	"strings"

	"postern/gateway"
	"postern/gateway/upstream"
)

// asideMutants are those that pass on what a tool server says beside the one text
// of an answer: each is shown by what the agent is sent. Of what the gateway only
// leaves out the original's call is answered; of what it refuses it fails.
func asideMutants() []codeMutant {
	passes := func(id, why, server string, of upstream.Aside, stop Code) codeMutant {
		return codeMutant{id: "asides/" + id, why: why, layer: Asides, place: AtAgent,
			weak: gateway.Weakness{Tools: upstream.AnswerWeakness{Forwards: of}}}.serving(server, stop)
	}
	structured := passes("structured", "structured content beside an answer's text is passed on", "structured-aside", upstream.Structured, "")
	structured.beside.Tools.Structured = true
	late := passes("answered-late", "the answer to a call that was taken back is passed on with the next", overdue, upstream.Late, failed)
	late.line = strings.Replace(clientCall("1", ""), "a text", "CANARY", 1) + "\n" + takenBack + "\n" + clientCall("2", "")
	late.set = func(_ *gateway.Config, q *question) { q.around.server, q.around.client = overdue, plain }
	return []codeMutant{
		structured,
		passes("result-meta", "the _meta of an answer is passed on", "result-meta", upstream.Meta, ""),
		passes("content-meta", "the _meta of an answer's text is passed on", "content-meta", upstream.Meta, ""),
		passes("annotations", "the annotations of an answer's text are passed on", "annotations", upstream.Annotations, ""),
		passes("image", "an image is passed on", "image", upstream.Media, failed),
		passes("audio", "a sound is passed on", "audio", upstream.Media, failed),
		passes("resource", "a resource is passed on", "resource", upstream.Media, failed),
		passes("resource-link", "a link to a resource is passed on", "link", upstream.Media, failed),
		passes("error", "what an error of the tool server's says is passed on", "fails", upstream.ErrorText, failed),

		passes("progress", "a notice of progress is passed on", "progress", "notifications/progress", ""),
		passes("logging", "a line for a log is passed on", "logging", "notifications/message", ""),
		passes("cancelled", "the reason of a cancellation is passed on", "cancelled", "notifications/cancelled", ""),
		passes("tools-changed", "a notice that tools changed is passed on", "tools", "notifications/tools/list_changed", ""),
		passes("tools-drifted", "tools that changed are listed anew, and how they are described is passed on", drifts, upstream.Drift, ""),
		passes("prompts-changed", "a notice that prompts changed is passed on", "prompts", "notifications/prompts/list_changed", ""),
		passes("resources-changed", "a notice that resources changed is passed on", "resources", "notifications/resources/list_changed", ""),
		passes("resource-updated", "a notice that a resource changed is passed on", "updated", "notifications/resources/updated", ""),
		passes("elicitation-done", "a notice that something was elicited is passed on", "elicited", "notifications/elicitation/complete", ""),

		passes("sampling", "a request to sample is passed on", "sampling", "sampling/createMessage", ""),
		passes("elicitation", "a request to ask the user is passed on", "elicitation", "elicitation/create", ""),
		passes("roots", "a request for roots is passed on", "roots", "roots/list", ""),
		passes("prompt", "a request for a prompt is passed on", "prompt", "prompts/get", ""),
		passes("completion", "a request to complete is passed on", "completion", "completion/complete", ""),
		passes("tool-call", "a request to call a tool is passed on", "tool-call", "tools/call", ""),
		passes("request-id", "the id of a request of the tool server's is passed on", "id", upstream.RequestID, ""),

		passes("unasked", "an answer to what nobody asked is passed on", "unasked", upstream.Unasked, ""),
		passes("answered-ahead", "an answer to a call that is still to come is passed on", "ahead", upstream.Ahead, ""),
		passes("answered-twice", "a second answer to a call is passed on", "again", upstream.Twice, ""),
		late,
		passes("broken-text", "a line with bytes that are no text is passed on", brokenText, upstream.BrokenText, failed),
		passes("no-object", "a line that is no message is passed on", noObject, upstream.NoObject, failed),
		passes("stderr", "what the tool server writes on stderr is passed on", "stderr", upstream.Stderr, ""),
	}
}
