package harness

import (
	"fmt"
	"reflect"
	"testing"
)

// account is what an Engine might say, with some parts filled in.
func account(user, labels, readonly, mounts string) []byte {
	return fmt.Appendf(nil, `{"Id":"x","Created":"now","Image":"sha256:1","Path":"/agent","Args":[],
		"Config":{"Hostname":"0123456789ab","User":%q,"Labels":{%s}},
		"HostConfig":{"ReadonlyRootfs":%s},"Mounts":[%s],"NetworkSettings":{"Networks":{}}}`, user, labels, readonly, mounts)
}

func TestReadBackComparesWhatARequestDecides(t *testing.T) {
	plain, err := effectiveFrom(account("7:7", `"a":"1"`, "true", ""), 7)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		raw  []byte
		same bool
	}{
		"another user of its own and other labels": {account("8:8", `"a":"2"`, "true", ""), true},
		"root":            {account("0:0", "", "true", ""), false},
		"a writable root": {account("8:8", "", "false", ""), false},
		"a mount":         {account("8:8", "", "true", `{"Type":"volume"}`), false},
	} {
		got, err := effectiveFrom(tt.raw, 8)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if reflect.DeepEqual(plain, got) != tt.same {
			t.Errorf("%s: same is %v, want %v", name, !tt.same, tt.same)
		}
	}
	for _, bad := range []string{"", "{}", "[]", `{"Config":{}}`} {
		if _, err := effectiveFrom([]byte(bad), 1); err == nil {
			t.Errorf("%q was taken for an account", bad)
		}
	}
}
