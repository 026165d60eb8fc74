package bridge

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// reportOperation is the one operation that the bridge answers itself: the
// agent says which probes it tried, and with what errno.
const reportOperation = "report"

const (
	maxAttempts = 256
	maxChannel  = 64   // bytes of a channel id
	maxErrno    = 4095 // MAX_ERRNO of Linux, include/linux/err.h
)

// parseReport reads {"attempts": {"<channel id>": errno, ...}}, whose
// JSON package frame has checked already.
func parseReport(arguments jsontext.Value) (attempts map[string]int, ok bool) {
	var r struct {
		Attempts map[string]jsontext.Value `json:"attempts"`
	}
	err := json.Unmarshal(arguments, &r, json.RejectUnknownMembers(true))
	if err != nil || r.Attempts == nil || len(r.Attempts) > maxAttempts {
		return nil, false
	}
	attempts = make(map[string]int, len(r.Attempts))
	for channel, value := range r.Attempts {
		// Digits only: 1.0 and 1e0 have no second spelling here.
		errno, err := strconv.ParseUint(string(value), 10, 16)
		if err != nil || errno > maxErrno || !isChannel(channel) {
			return nil, false
		}
		attempts[channel] = int(errno)
	}
	return attempts, true
}

func isChannel(s string) bool {
	return 0 < len(s) && len(s) <= maxChannel && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}
