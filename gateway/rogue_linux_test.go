package gateway

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/bridge"
)

func TestWhatARogueServerDoesHasItsFixedOutcome(t *testing.T) {
	for _, r := range rogueRows {
		t.Run(r.mode, func(t *testing.T) {
			far := newFarEnd(t)
			s := newTold(t, http.StatusOK, func(c *Config) {
				far.serve(c, r.mode)
				if r.change != nil {
					r.change(c)
				}
			})
			// What a caller gives as its reason to end is not for the tool either.
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if r.cancelled {
				go func() {
					far.until(t, `"tools/call"`)
					cancel(errors.New(planted))
				}()
			}
			sent, result := converse(ctx, t, s.Gateway)
			if r.cancelled {
				far.until(t, "notifications/cancelled")
			}
			s.silent(t, "vault_store") // closes the session
			far.until(t, "")

			if want := r.sent(); sent != want {
				t.Errorf("the agent is sent %d bytes that are not the %d wanted", len(sent), len(want))
			}
			if want := r.end(); result.Outcome != want {
				t.Errorf("outcome %s, want %s", result.Outcome, want)
			}
			if diff := cmp.Diff(r.reads(), far.read()); diff != "" {
				t.Errorf("the server reads:\n%s", diff)
			}
			if !r.mute && !slices.ContainsFunc(far.wrote(), holds) {
				t.Error("the server did not write what it was to")
			}
			s.holdsNothing(t, sent)
		})
	}
}

// The answer to a call that was cancelled comes when another waits: it is nobody's.
func TestALateAnswerIsNobodys(t *testing.T) {
	far := newFarEnd(t)
	s := newTold(t, http.StatusOK, func(c *Config) { far.serve(c, "answers-late") })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		far.until(t, `"tools/call"`)
		cancel()
	}()
	first := s.Handle(ctx, asks(t, "deliver", secret))
	second := s.Handle(t.Context(), asks(t, "deliver", secret))
	if first.Code != failing || second != (bridge.Reply{Text: "stored"}) {
		t.Errorf("codes %q and %q", first.Code, second.Code)
	}
	s.silent(t, "vault_store") // closes the session
	far.until(t, "")
	if !slices.ContainsFunc(far.wrote(), holds) {
		t.Error("the server did not write what it was to")
	}
	s.holdsNothing(t, first.Text+second.Text)
}

// A server that introduces itself in a way that is not understood, or tools that
// are not as they were pinned, is not called.
func TestARogueServerIsNotOpened(t *testing.T) {
	for _, r := range rogueOpenings {
		t.Run(r.mode, func(t *testing.T) {
			far := newFarEnd(t)
			subject := config(t, newSink(t))
			far.serve(&subject, r.mode)
			g, err := Open(t.Context(), subject)
			if err == nil {
				g.Close()
				t.Fatal("opened")
			}
			far.until(t, "")
			if holds(err.Error()) {
				t.Error("the error quotes the server")
			}
			no := new(NotOpened)
			if errors.As(err, &no); no.Step != r.step || r.is != nil && !errors.Is(err, r.is) {
				t.Errorf("refused for another reason: %v", err)
			}
			if !r.mute && !slices.ContainsFunc(far.wrote(), holds) {
				t.Error("the server did not write what it was to")
			}
			if diff := cmp.Diff(handshake[:r.reads], far.read()); diff != "" {
				t.Errorf("the server reads:\n%s", diff)
			}
		})
	}
}

// Each mode of the fixture has a row, and each row one line of the README.
func TestEveryModeOfTheRogueServerHasARow(t *testing.T) {
	out, err := exec.Command(rogue.path, "modes").Output()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("upstream/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	documented := func(mode, does string) {
		rows = append(rows, mode)
		for line := range strings.Lines(string(readme)) {
			if cells := strings.Split(line, "|"); len(cells) > 3 && strings.Contains(cells[1], "`"+mode+"`") {
				if strings.TrimSpace(cells[2]) != does {
					t.Errorf("the README says of %s %q, and its row %q", mode, strings.TrimSpace(cells[2]), does)
				}
				return
			}
		}
		t.Errorf("the README has no line for %s", mode)
	}
	for _, r := range rogueRows {
		documented(r.mode, r.does)
	}
	for _, r := range rogueOpenings {
		documented(r.mode, r.does)
	}
	documented("answers-late", renumber)
	slices.Sort(rows)
	if diff := cmp.Diff(strings.Fields(string(out)), rows); diff != "" {
		t.Error(diff)
	}
}
