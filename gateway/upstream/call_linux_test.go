package upstream

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestOnlyOneShortTextIsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		mode string
		want error
		text int // bytes
	}{
		{"normal", nil, len("one")},
		{"full", nil, MaxText},
		{"long", ErrFailed, 0},
		{"empty", ErrFailed, 0},
		{"two", ErrFailed, 0},
		{"image", ErrFailed, 0},
		{"link", ErrFailed, 0},
		{"structured", ErrFailed, 0},
		{"failed", ErrFailed, 0},
		{"refused", ErrFailed, 0},
		{"asks", ErrFailed, 0},
		{"frame", ErrUnavailable, 0},
		{"deep", ErrUnavailable, 0},
		{"dies", ErrUnavailable, 0},
		{"garbage", ErrUnavailable, 0},
	} {
		t.Run(c.mode, func(t *testing.T) {
			response, err := start(t, c.mode).Call(t.Context(), "version", map[string]string{"text": "x"})
			if !errors.Is(err, c.want) || len(response.Text) != c.text {
				t.Errorf("%d bytes, %v", len(response.Text), err)
			}
			if err != nil && strings.Contains(err.Error(), "zq7marker") {
				t.Error("the error quotes the server")
			}
		})
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	client := start(t, "hangs")
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := client.Call(ctx, "version", nil)
		result <- err
	}()
	cancel()
	if err := <-result; !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

func list(t testing.TB, mode string) map[string]string {
	t.Helper()
	listed, err := start(t, mode).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return listed
}

func TestADefinitionIsPinnedByItsMeaning(t *testing.T) {
	pins := list(t, "normal")
	if len(pins) != 1 || len(pins["a"]) != 64 {
		t.Fatalf("%d tools", len(pins))
	}
	if err := Pinned(list(t, "reordered"), pins); err != nil {
		t.Errorf("order and spaces count: %v", err)
	}
	for _, mode := range []string{"redescribed", "reschemed"} {
		if err := Pinned(list(t, mode), pins); err == nil {
			t.Errorf("%s passes", mode)
		}
	}
	if _, err := start(t, "twice").List(t.Context()); err == nil {
		t.Error("one name twice passes")
	}
}

func TestPinned(t *testing.T) {
	for _, c := range []struct {
		name         string
		listed, pins map[string]string
		ok           bool
	}{
		{"equal", map[string]string{"a": "1"}, map[string]string{"a": "1"}, true},
		{"a tool that is not pinned", map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "1"}, true},
		{"another definition", map[string]string{"a": "2"}, map[string]string{"a": "1"}, false},
		{"not listed", nil, map[string]string{"a": "1"}, false},
		{"an empty pin", map[string]string{"a": ""}, map[string]string{"a": ""}, false},
		{"one of two", map[string]string{"a": "1"}, map[string]string{"a": "1", "b": "2"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Pinned(c.listed, c.pins) == nil; got != c.ok {
				t.Errorf("accepted: %v", got)
			}
		})
	}
}

func BenchmarkCall(b *testing.B) {
	client := start(b, "normal")
	for b.Loop() {
		if _, err := client.Call(b.Context(), "version", nil); err != nil {
			b.Fatal(err)
		}
	}
}
