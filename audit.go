package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"postern/gateway/audit"
	"postern/gateway/frame"
	"postern/gateway/mcpserver"
)

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check a gateway's audit log, or open commitments in it",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(auditVerifyCommand(), auditOpenCommand())
	return cmd
}

// auditVerdict is what the commands found, in numbers and closed words.
type auditVerdict struct {
	Verified   bool         `json:"verified"`
	Rows       int64        `json:"rows"` // that hold
	Sessions   int          `json:"sessions"`
	Unfinished int          `json:"unfinished"`
	ClockSteps int          `json:"clock_steps"`
	Head       string       `json:"head"`
	BadRow     int64        `json:"bad_row,omitempty"`
	Reason     audit.Reason `json:"reason,omitempty"`
	Opened     []int64      `json:"opened,omitempty"` // rows that commit to the payload
}

func auditVerifyCommand() *cobra.Command {
	var heads []string
	var steps, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Walk the chain of an audit log and name the first bad row",
		Long: `Walk the hash chain of an audit log. A row that was edited, moved, swapped, left out
or added, a second chain head, a row behind its session's last one, a damaged file
and a clock that was set are found, and the first bad row is named with a closed word.

The chain has no key, and rows that are missing at the end leave one that holds: only
a session without its last row shows. Give a head (ROWS:HASH) that the gateway told
at the end of a session, and that was kept elsewhere: the chain must go through it.
Nothing shows that rows behind the last head that was kept are missing.

Exit codes: 0 verified, 1 a bad row, 2 there is no audit log that could be read.`,
		Args: arguments(1, 1, "one argument, the file of an audit log"),
		RunE: func(cmd *cobra.Command, args []string) error {
			anchors, err := parseHeads(heads)
			if err != nil {
				return err
			}
			v, err := auditVerify(cmd.Context(), args[0], steps, anchors)
			if err != nil {
				return err
			}
			return tellAudit(cmd, v, asJSON)
		},
	}
	cmd.Flags().StringArrayVar(&heads, "head", nil, "a `head` that the chain must go through; may be given again")
	cmd.Flags().BoolVar(&steps, "allow-clock-steps", false, "let rows pass at which the clock had been set, and count them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func parseHeads(texts []string) (heads []audit.Head, err error) {
	for _, text := range texts {
		head, err := audit.ParseHead(text)
		if err != nil {
			return nil, fmt.Errorf("--head: %w", err)
		}
		heads = append(heads, head)
	}
	return heads, nil
}

// auditVerify makes a verdict of a bad row, and an error of a file that could
// not be looked at.
func auditVerify(ctx context.Context, path string, steps bool, anchors []audit.Head) (auditVerdict, error) {
	report, err := audit.Verify(ctx, path, anchors...)
	return auditJudge(report, err, steps)
}

func auditJudge(report audit.Report, err error, steps bool) (auditVerdict, error) {
	v := auditVerdict{
		Rows: report.Rows, Sessions: report.Sessions, Unfinished: report.Unfinished,
		ClockSteps: report.ClockSteps, Head: report.Head.String(),
	}
	var broken *audit.Broken
	switch {
	case errors.As(err, &broken):
		v.BadRow, v.Reason = broken.Row, broken.Reason
	case err != nil:
		return v, err
	}
	if report.FirstStep > 0 && !steps {
		v.BadRow, v.Reason = report.FirstStep, audit.ClockStep // before any other: those end the walk
	}
	v.Verified = v.Reason == ""
	return v, nil
}

func auditOpenCommand() *cobra.Command {
	var keyFile, payloadFile string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "open FILE --key FILE --payload FILE",
		Short: "Say which rows of a session commit to a payload",
		Long: `Verify an audit log, and say which rows of one session commit to a payload: to a
call, as the line of JSON that the agent or an MCP client sent, however it is spelt, or
to an answer's text, in its very bytes. It takes the key of the session, which the
gateway keeps where "audit-keys" of its file (AuditKeys of its Config) says. Who has the key can also guess; where it was destroyed nobody can.

Exit codes: 0 a row commits to it, 1 none does or there is a bad row, 2 a file could
not be read, or the log has no such session.`,
		Args: arguments(1, 1, "one argument, the file of an audit log"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := auditOpen(cmd.Context(), args[0], keyFile, payloadFile)
			if err != nil {
				return err
			}
			return tellAudit(cmd, v, asJSON)
		},
	}
	cmd.Flags().StringVar(&keyFile, "key", "", "the key `file` of the session")
	cmd.Flags().StringVar(&payloadFile, "payload", "", "the `file` that holds the call or the answer")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.MarkFlagRequired("key")
	cmd.MarkFlagRequired("payload")
	return cmd
}

func auditOpen(ctx context.Context, path, keyFile, payloadFile string) (auditVerdict, error) {
	key, err := audit.ReadKey(keyFile)
	if err != nil {
		return auditVerdict{}, err
	}
	payloads, err := readPayloads(payloadFile)
	if err != nil {
		return auditVerdict{}, err
	}
	v, err := auditVerify(ctx, path, true, nil)
	if err != nil || !v.Verified {
		return v, err
	}
	opened, err := key.Open(ctx, path, payloads...)
	if err == nil && opened.Of == 0 {
		err = errors.New("the audit log has no payload of the key's session")
	}
	if v.Opened = opened.Rows; len(v.Opened) == 0 {
		v.Reason = noSuchPayload
	}
	return v, err
}

// noSuchPayload is said of a log that is as it should be, and of a payload.
const noSuchPayload audit.Reason = "no-such-payload"

// readPayloads reads a file as the answer that it may be, and as the call.
func readPayloads(path string) ([]audit.Payload, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the payload: %w", err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, frame.MaxBytes+1))
	if err != nil || len(content) > frame.MaxBytes {
		return nil, errors.Join(errors.New("the payload cannot be read, or is larger than any"), err)
	}
	payloads := []audit.Payload{audit.Answer(string(content))}
	limits := frame.Limits{Bytes: frame.MaxBytes, Depth: frame.MaxDepth}
	if call, err := frame.Decode(bytes.TrimSuffix(content, []byte("\n")), limits); err == nil {
		payloads = append(payloads, audit.Call(call.Operation, call.Arguments))
	} else if call, err := mcpserver.Frame(content); err == nil {
		payloads = append(payloads, audit.Call(call.Operation, call.Arguments))
	}
	return payloads, nil
}

// tellAudit prints a verdict and makes an exit code of it.
func tellAudit(cmd *cobra.Command, v auditVerdict, asJSON bool) error {
	out := cmd.OutOrStdout()
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(v)
	} else {
		_, err = fmt.Fprintln(out, auditLine(out, v))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	if v.Reason != "" {
		return errFindings
	}
	return nil
}

func auditLine(out io.Writer, v auditVerdict) string {
	switch {
	case v.Reason == noSuchPayload:
		return mark(out, "not opened", red) + ": no row of the session commits to this payload"
	case !v.Verified && v.BadRow == 0:
		return mark(out, "not verified", red) + ": the file: " + string(v.Reason)
	case !v.Verified:
		return fmt.Sprintf("%s: row %d: %s", mark(out, "not verified", red), v.BadRow, v.Reason)
	case v.Opened != nil:
		var rows []string
		for _, row := range v.Opened {
			rows = append(rows, strconv.FormatInt(row, 10))
		}
		return mark(out, "opened", green) + ": row " + strings.Join(rows, ", row ")
	}
	line := fmt.Sprintf("%s: %s of %s", mark(out, "verified", green), count(int(v.Rows), "row"), count(v.Sessions, "session"))
	if v.Unfinished > 0 {
		line += fmt.Sprintf(", %d without a last row (killed, still running, or cut off)", v.Unfinished)
	}
	if v.ClockSteps > 0 {
		line += ", " + count(v.ClockSteps, "clock step")
	}
	return line + "; head " + v.Head
}
