package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"

	"postern/gateway/audit"
)

// sampleAudit writes three audit logs of two sessions: a whole one, one with an
// edited row, and one whose end is missing. HEAD is where the whole one ends.
func sampleAudit(env *testscript.Env) error {
	for name, harm := range map[string]string{
		"good.audit":   `UPDATE audit SET call = call`,
		"edited.audit": `UPDATE audit SET code = 'permit' WHERE sequence = 2`,
		"cut.audit":    `DELETE FROM audit WHERE sequence > 4`,
	} {
		path := filepath.Join(env.WorkDir, name)
		head, err := writeAudit(path, filepath.Join(env.WorkDir, name+".keys"))
		if err != nil {
			return err
		}
		if name == "good.audit" {
			env.Setenv("HEAD", head.String())
		}
		if err := hurt(path, harm); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(env.WorkDir, "answer"), []byte("stored"), 0o600)
}

func writeAudit(path, keys string) (head audit.Head, err error) {
	ctx := context.Background()
	if err := os.Mkdir(keys, 0o700); err != nil {
		return head, err
	}
	log, err := audit.Open(ctx, path)
	if err != nil {
		return head, err
	}
	defer func() { err = errors.Join(err, log.Close()); head = log.Head() }()
	call := audit.Call("deliver", jsontext.Value(`{"text":"4711"}`))
	for _, id := range []string{"one", "two"} {
		s := log.Session(id)
		if _, err := s.Key().Keep(keys); err != nil {
			return head, err
		}
		err := errors.Join(
			s.Append(ctx, audit.Entry{Call: 1, Tool: "store", Code: "permit", Label: "internal", Payload: call}),
			s.Append(ctx, audit.Entry{Call: 1, Tool: "store", Code: "response-released", Label: "internal", Payload: audit.Answer("stored")}),
			s.End(ctx))
		if err != nil {
			return head, err
		}
	}
	return head, nil
}

func hurt(path, statement string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

func TestAClockThatWasSetIsABadRow(t *testing.T) {
	report := audit.Report{Rows: 9, Sessions: 1, ClockSteps: 2, FirstStep: 4}
	edited := &audit.Broken{Row: 7, Reason: audit.Edited}
	for _, c := range []struct {
		err    error
		allow  bool
		row    int64
		reason audit.Reason
	}{
		{nil, false, 4, audit.ClockStep}, {nil, true, 0, ""},
		{edited, false, 4, audit.ClockStep}, {edited, true, 7, audit.Edited},
	} {
		v, err := auditJudge(report, c.err, c.allow)
		if err != nil || v.BadRow != c.row || v.Reason != c.reason || v.Verified != (c.reason == "") {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if _, err := auditJudge(report, audit.ErrNotAudit, true); err == nil {
		t.Error("what is no audit log has a verdict")
	}
}
