package level2

import (
	"strings"
	"testing"
)

func TestWhatIsDeadMayStayIfItIsAccepted(t *testing.T) {
	const good = `[{"mutant":"m","digest":"d","reason":"kept for the next tool","author":"policy owner","date":"2026-01-31"}]`
	for _, c := range []struct{ name, text, says string }{
		{"it is accepted", good, ""},
		{"nothing is", `[]`, ""},
		{"no mutant", strings.Replace(good, `"m"`, `"n"`, 1), "is none"},
		{"another digest", strings.Replace(good, `"d"`, `"e"`, 1), "look at it again"},
		{"something that is not dead", strings.Replace(good, `"m"`, `"alive"`, 1), "something depends"},
		{"no reason", strings.Replace(good, `"kept for the next tool"`, `""`, 1), "why, who and when"},
		{"no role", strings.Replace(good, `"policy owner"`, `""`, 1), "why, who and when"},
		{"no date", strings.Replace(good, `2026-01-31`, `soon`, 1), "why, who and when"},
		{"another key", strings.Replace(good, `"date"`, `"day"`, 1), "is no list"},
		{"no list", `{}`, "is no list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := []Row{{Mutant: "m", Digest: "d", Status: Survived, Dead: true}, {Mutant: "alive", Digest: "d", Status: Killed}}
			err := acceptIn(rows, []byte(c.text))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Fatalf("%v", err)
			}
			if stays := c.name == "it is accepted"; (rows[0].Status == Equivalent) != stays || (rows[0].Reason == Accepted) != stays {
				t.Errorf("%+v", rows[0])
			}
		})
	}
}
