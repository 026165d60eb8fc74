package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// over has a gateway read lines from its stdin, to their end.
func (lab *gatewayLab) over(t *testing.T, lines ...string) (answers []string, stderr string, code int) {
	t.Helper()
	command := lab.command(t)
	var out, told bytes.Buffer
	command.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	command.Stdout, command.Stderr = &out, &told
	command.Run()
	if strings.Contains(told.String(), marker) {
		t.Error("the gateway told plaintext on stderr")
	}
	for answer := range strings.Lines(out.String()) {
		if !strings.Contains(answer, `"serverInfo"`) { // to the hello; refusals may overtake it
			answers = append(answers, strings.TrimSuffix(answer, "\n"))
		}
	}
	return answers, told.String(), command.ProcessState.ExitCode()
}

const (
	invalidRequest = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid-request"}}`
	released       = `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + marker + `"}]}}`
)

// What a client may send besides calls, and what becomes of it: no method but the
// few reaches the library, and nothing of a message but the call goes on.
func TestGatewayAnswersInFixedWords(t *testing.T) {
	unknown := `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"unknown-method"}}`
	params := `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"invalid-params"}}`
	request := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":%s}`, method, params)
	}
	for _, c := range []struct{ name, line, answer string }{
		{"a call", callMessage(2, "deliver", marker), released},
		{"blanks", strings.Replace(callMessage(2, "deliver", marker), ",", ",\t \r", 3), released},
		{"a ping", request("ping", `{"_meta":{"note":"`+marker+`"}}`), `{"jsonrpc":"2.0","id":2,"result":{}}`},
		{"a method that nobody knows", request(marker, `{}`), unknown},
		{"resources", request("resources/read", `{"uri":"file:///`+marker+`"}`), unknown},
		{"templates", request("resources/templates/list", `{}`), unknown},
		{"subscribing", request("resources/subscribe", `{"uri":"`+marker+`"}`), unknown},
		{"prompts", request("prompts/get", `{"name":"`+marker+`"}`), unknown},
		{"completion", request("completion/complete", `{"ref":{"type":"ref/prompt","name":"`+marker+`"},"argument":{"name":"a","value":"`+marker+`"}}`), unknown},
		{"a log level", request("logging/setLevel", `{"level":"debug"}`), unknown},
		{"discovery", request("server/discover", `{}`), unknown},
		{"listening", request("subscriptions/listen", `{}`), unknown},
		{"asking us for a sample", request("sampling/createMessage", `{"messages":[]}`), unknown},
		{"asking us for roots", request("roots/list", `{}`), unknown},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":2,"result":{"note":"` + marker + `"}}`, invalidRequest},
		{"an error of nothing", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"` + marker + `"}}`, invalidRequest},
		{"a key that there is not", `{"jsonrpc":"2.0","id":2,"method":"ping","` + marker + `":1}`, invalidRequest},
		{"another version", `{"jsonrpc":"` + marker + `","id":2,"method":"ping"}`, invalidRequest},
		{"no version", `{"id":2,"method":"ping"}`, invalidRequest},
		{"an id that is a list", `{"jsonrpc":"2.0","id":["` + marker + `"],"method":"ping"}`, invalidRequest},
		{"an id that is a fraction", `{"jsonrpc":"2.0","id":2.5,"method":"ping"}`, invalidRequest},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, invalidRequest},
		{"parameters that are a list", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":["` + marker + `"]}`, invalidRequest},
		{"a call of nothing", request("tools/call", `{"name":""}`), params},
		{"a call without parameters", `{"jsonrpc":"2.0","id":2,"method":"tools/call"}`, params},
		{"a call with more", request("tools/call", `{"name":"deliver","arguments":{"text":"x"},"`+marker+`":1}`), params},
		{"a call with a list of arguments", request("tools/call", `{"name":"deliver","arguments":["`+marker+`"]}`), params},
		{"a second beginning", strings.Replace(helloMessage, `"id":1`, `"id":2`, 1), `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"refused"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			lab := newGatewayLab(t)
			answers, told, code := lab.over(t, helloMessage, readyMessage, c.line, "")
			if diff := cmp.Diff([]string{c.answer}, answers); diff != "" || code != exitOK {
				t.Errorf("exit code %d, %s:\n%s", code, told, diff)
			}
			want := 0
			if c.answer == released {
				want = 1
			}
			if got := lab.sink.heard("vault_store"); got != want {
				t.Errorf("the vault received %d calls", got)
			}
		})
	}
}

// What is no message ends a session: behind it nothing can be trusted to be one.
func TestGatewayEndsASessionAtWhatIsNoMessage(t *testing.T) {
	for _, c := range []struct{ name, line, word string }{
		{"text", marker, "not-json"},
		{"a key twice", strings.Replace(callMessage(3, "deliver", marker), `"id":3`, `"id":3,"id":4`, 1), "duplicate-key"},
		{"an argument twice", strings.Replace(callMessage(3, "deliver", marker), `"text"`, `"text":"","text"`, 1), "duplicate-key"},
		{"a method in another case", strings.Replace(callMessage(3, "deliver", marker), `"method"`, `"Method":"ping","method"`, 1), "case-variant"},
		{"a batch", "[" + callMessage(3, "deliver", marker) + "]", "batch"},
		{"two messages in a line", callMessage(3, "deliver", marker) + callMessage(4, "deliver", marker), "not-json"},
		{"more than a line may hold", callMessage(3, "deliver", strings.Repeat(marker, 20_000)), "oversized"},
		{"bytes that are no text", strings.Replace(callMessage(3, "deliver", marker), marker, marker+"\xff", 1), "invalid-utf8"},
		{"too deep", strings.Replace(callMessage(3, "deliver", marker), `"arguments"`, `"_meta":{"a":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`},"arguments"`, 1), "depth"},
		{"an id that is no number", strings.Replace(callMessage(3, "deliver", marker), `"id":3`, `"id":1e400`, 1), "number-range"},
		{"a byte order mark", "\ufeff" + callMessage(3, "deliver", marker), "bom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lab := newGatewayLab(t)
			answers, told, code := lab.over(t, helloMessage, readyMessage, callMessage(2, "deliver", marker), c.line, callMessage(5, "deliver", marker), "")
			if code != exitFindings || !strings.Contains(told, "postern: the session was ended: what the client sent: frame refused: "+c.word+"\n") {
				t.Errorf("exit code %d: %s", code, told)
			}
			if diff := cmp.Diff([]string{released}, answers); diff != "" {
				t.Errorf("the call before it:\n%s", diff)
			}
			if got := lab.sink.heard("vault_store"); got != 1 {
				t.Errorf("the vault received %d calls", got)
			}
			lab.audited(t, 1)
		})
	}
}

func TestGatewayTakesNoLineThatNobodyEnded(t *testing.T) {
	lab := newGatewayLab(t)
	answers, told, code := lab.over(t, helloMessage, readyMessage, callMessage(2, "deliver", marker))
	if code != exitFindings || !strings.Contains(told, "frame refused: unterminated") || len(answers) != 0 {
		t.Errorf("exit code %d, %d answers: %s", code, len(answers), told)
	}
	if got := lab.sink.heard("vault_store"); got != 0 {
		t.Errorf("the vault received %d calls", got)
	}
}

// An id is in use until its answer, and free behind it.
func TestGatewayTakesAnIdOnceAtATime(t *testing.T) {
	lab := newGatewayLab(t)
	answerFirst := make(chan struct{})
	lab.sink.hold = func() { <-answerFirst }
	command := lab.command(t)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill() })
	out.(*os.File).SetReadDeadline(time.Now().Add(answerBound))
	lines := bufio.NewReader(out)
	turn := func(want string, messages ...string) {
		t.Helper()
		io.WriteString(in, strings.Join(messages, "\n")+"\n")
		if got, err := lines.ReadString('\n'); !strings.Contains(got, want) {
			t.Fatalf("%s, %v; want %s", got, err, want)
		}
	}
	turn(`"serverInfo"`, helloMessage)
	turn(invalidRequest, readyMessage, callMessage(2, "deliver", marker), callMessage(2, "publish", marker))
	<-lab.sink.arrived
	close(answerFirst)
	if got, err := lines.ReadString('\n'); got != released+"\n" {
		t.Fatalf("%s, %v", got, err)
	}
	turn("denied-ceiling", callMessage(2, "publish", marker))
	in.Close()
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if got := lab.sink.heard("vault_store"); got != 1 {
		t.Errorf("the vault received %d calls", got)
	}
}

// Far more calls than may be under way at once, from a client that hangs up: each
// has its answer.
func TestGatewayAnswersAllThatWasAsked(t *testing.T) {
	const calls = 300
	lab := newGatewayLab(t)
	messages := []string{helloMessage, readyMessage}
	for id := range calls {
		messages = append(messages, callMessage(id+2, "deliver", marker))
	}
	answers, told, code := lab.over(t, append(messages, "")...)
	if len(answers) != calls || code != exitOK {
		t.Errorf("%d answers, exit code %d: %s", len(answers), code, told)
	}
	if got := lab.sink.heard("vault_store"); got != calls {
		t.Errorf("the vault received %d calls", got)
	}
}
