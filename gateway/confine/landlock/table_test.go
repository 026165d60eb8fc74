package landlock

import (
	"errors"
	"testing"

	"github.com/landlock-lsm/go-landlock/landlock"

	"postern/gateway/guard"
)

// The library knows what each version refuses; ours says what for.
func TestTheTableIsTheKernels(t *testing.T) {
	presets := []landlock.Config{{}, landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6}
	if Least() != len(presets)-1 {
		t.Fatalf("the table takes version %d", Least())
	}
	for abi, want := range presets {
		var got landlock.Config
		for _, r := range Table() {
			if r.ABI <= abi {
				got.HandledAccessFS |= r.files
				got.HandledAccessNet |= r.net
				got.Scoped |= r.scoped
			}
		}
		if got != want {
			t.Errorf("version %d: %v, want %v", abi, got, want)
		}
	}
	if got := config(guard.NetNone, Weakness{}); got != landlock.V6 {
		t.Errorf("enforced are %v", got)
	}
	if got := config(guard.NetFull, Weakness{}); got.HandledAccessNet != 0 || got.HandledAccessFS != landlock.V6.HandledAccessFS || got.Scoped != landlock.V6.Scoped {
		t.Errorf("enforced with a network are %v", got)
	}
}

func TestAnyLessIsNotAvailable(t *testing.T) {
	for _, c := range []struct {
		kernel Kernel
		want   Why
	}{
		{Kernel{}, none}, {Kernel{Filters: true}, none},
		{Kernel{1, true}, TooOld}, {Kernel{5, true}, TooOld}, {Kernel{5, false}, TooOld},
		{Kernel{6, false}, FilterOff}, {Kernel{6, true}, ""}, {Kernel{99, true}, ""},
	} {
		var got Why
		_, err := Available(c.kernel)
		if unable := (*Unable)(nil); errors.As(err, &unable) {
			got = unable.Why
		}
		if got != c.want || (err == nil) != (c.want == "") {
			t.Errorf("%+v: %q, want %q", c.kernel, got, c.want)
		}
	}
}
