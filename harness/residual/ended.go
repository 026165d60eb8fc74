package residual

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

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
	db, err := sql.Open("sqlite", "file:"+t.Audit+"?mode=ro")
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT code FROM audit ORDER BY sequence")
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	defer rows.Close()
	var heard Bits
	for rows.Next() {
		var code string
		if err := rows.Scan(&code); err != nil {
			return nil, fmt.Errorf("reading the audit log: %w", err)
		}
		switch {
		case code == string(policy.Permit):
			heard = append(heard, false)
		case strings.HasPrefix(code, "deny-"):
			heard = append(heard, true)
		}
	}
	return heard, rows.Err()
}
