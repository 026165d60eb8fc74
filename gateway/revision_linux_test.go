package gateway

import (
	"path/filepath"
	"testing"

	"postern/gateway/gate"
)

// A restart must not bring a revoked tool back where revisions are kept, and
// must say so where they are not.
func TestARestartKeepsARevocation(t *testing.T) {
	sink := newSink(t)
	c := config(t, sink)
	c.Gate = gate.Options{Path: filepath.Join(t.TempDir(), "revision"), Create: true}
	g := opened(t, c)
	if !g.RevisionsPersist() {
		t.Error("revisions are said not to be kept")
	}
	if err := g.Update(t.Context(), gate.Update{Revision: 7, Revoked: []string{"vault_store"}}); err != nil {
		t.Fatal(err)
	}
	if r := g.Handle(t.Context(), asks(t, "deliver", secret)); r.Code != "denied-revoked" {
		t.Errorf("a revoked tool was answered with %q", r.Code)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	c.Gate.Create = false
	c.Audit = filepath.Join(t.TempDir(), "audit.sqlite")
	again := opened(t, c)
	if r := again.Handle(t.Context(), asks(t, "deliver", secret)); r.Code != "denied-revoked" {
		t.Errorf("after a restart a revoked tool was answered with %q", r.Code)
	}
	if again.Update(t.Context(), gate.Update{Revision: 7}) == nil {
		t.Error("a restart took a revision back")
	}
	if opened(t, config(t, newSink(t))).RevisionsPersist() {
		t.Error("revisions without a file are said to be kept")
	}
}
