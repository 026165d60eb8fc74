package residual

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	_ "postern/gateway/audit" // brings the driver of its files
	"postern/gateway/policy"
)

// exitCode is eight bits, whatever they mean.
func exitCode(ctx context.Context, t Target) (Bits, error) {
	c, err := t.API.ContainerInspect(ctx, t.Container)
	if err != nil {
		return nil, fmt.Errorf("reading the exit code: %w", err)
	}
	if c.ContainerJSONBase == nil || c.State == nil {
		return nil, errors.New("reading the exit code: the Engine gave none")
	}
	return bitsOf([]int{c.State.ExitCode & 0xff}, 8), nil
}

// decisions reads a bit from each row of the audit log about a call: one that
// was denied is a one.
func decisions(ctx context.Context, t Target) (Bits, error) {
	var heard Bits
	err := calls(ctx, t, func(_ time.Duration, code string) {
		heard = append(heard, code != string(policy.Permit))
	})
	return heard, err
}

// calls hands over when each call was decided, since 1970, and how.
func calls(ctx context.Context, t Target, each func(at time.Duration, code string)) error {
	db, err := sql.Open("sqlite", "file:"+t.Audit+"?mode=ro")
	if err != nil {
		return fmt.Errorf("reading the audit log: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT time, code FROM audit ORDER BY sequence")
	if err != nil {
		return fmt.Errorf("reading the audit log: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		var code string
		if err := rows.Scan(&at, &code); err != nil {
			return fmt.Errorf("reading the audit log: %w", err)
		}
		if code == string(policy.Permit) || strings.HasPrefix(code, "deny-") {
			each(time.Duration(at), code)
		}
	}
	return rows.Err()
}
