package bubblewrap

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"postern/gateway/guard"
)

// owner says of an option of bwrap what it is for: a field of Weakness takes it
// away, and so a mutant does, or the profile's network does, or there is a reason
// why no mutant is needed.
type owner struct {
	option  string
	field   string // of Weakness
	because string
}

const byProfile = "a profile with the whole network, which is a mutant too, takes it away"

func owners() []owner {
	return []owner{
		{option: "--unshare-pid", field: "Processes"},
		{option: "--unshare-ipc", field: "IPC"},
		{option: "--die-with-parent", field: "Outlive"},
		{option: "--new-session", field: "Session"},
		{option: "--seccomp", field: "Unfiltered"},
		{option: "--unshare-net", because: byProfile},
		{option: "--unshare-user", because: "it lets a user make the other namespaces; root does without where it has to"},
		{option: "--disable-userns", because: "the filter refuses further user namespaces too, and an older bwrap does without"},
		{option: "--cap-drop", because: unseen},
		{option: "--unshare-uts", because: unseen},
		{option: "--unshare-cgroup-try", because: unseen},
		{option: "--remount-ro", because: unseen},
		{option: "--clearenv", because: unseen},
		{option: "--setenv", because: "it gives the server its own environment"},
		{option: "--bind", because: "it gives the server its tree, of which other mutants are"},
		{option: "--proc", because: "without it the server has no /proc at all"},
		{option: "--dev", because: "without it the server has no devices at all"},
		{option: "--args", because: "bwrap reads its options so"},
		{option: "--json-status-fd", because: "we learn so whether the server ran"},
	}
}

// ofTheTree are the fields of Weakness that change what is in a sandbox, which no
// option says.
func ofTheTree() []string { return []string{"Writable", "Sockets"} }

// given are the options that a server's bwrap gets.
func given(users []string, p guard.Profile, w Weakness) (options []string) {
	all := work{Backend: "bwrap", Unfiltered: w.Unfiltered}.invocation()
	all = append(all, Backend{"bwrap", users}.arguments(Server{Profile: p, Env: []string{"NAME=value"}, Weak: w}, "/base")...)
	for _, word := range all {
		if strings.HasPrefix(word, "--") {
			options = append(options, word)
		}
	}
	return options
}

func TestEveryOptionHasAnOwner(t *testing.T) {
	strict := guard.Profile{Network: guard.NetNone}
	for _, users := range [][]string{{"--unshare-user", "--disable-userns"}, {"--unshare-user"}, nil} {
		all := given(users, strict, Weakness{})
		for _, option := range all {
			if !slices.ContainsFunc(owners(), func(o owner) bool { return o.option == option }) {
				t.Errorf("%s is nobody's", option)
			}
		}
		for _, o := range owners() {
			there := slices.Contains(all, o.option)
			if !there && !slices.Contains([]string{"--unshare-user", "--disable-userns"}, o.option) {
				t.Errorf("%s is not given", o.option)
			}
			if (o.field == "") == (o.because == "") {
				t.Errorf("%s has no owner, or two", o.option)
			}
			switch {
			case o.because == byProfile:
				leaves(t, all, given(users, guard.Profile{Network: guard.NetFull}, Weakness{}), o.option)
			case o.because == unseen && there:
				if !slices.ContainsFunc(unowned(), func(u without) bool { return u.words[0] == o.option }) {
					t.Errorf("nothing shows that %s opens nothing", o.option)
				}
			}
		}
	}
}

func TestEveryWeaknessTakesItsOwnOptionAway(t *testing.T) {
	strict := guard.Profile{Network: guard.NetNone}
	all := given(nil, strict, Weakness{})
	for field := range reflect.TypeFor[Weakness]().Fields() {
		var w Weakness
		reflect.ValueOf(&w).Elem().FieldByIndex(field.Index).SetBool(true)
		at := slices.IndexFunc(owners(), func(o owner) bool { return o.field == field.Name })
		if slices.Contains(ofTheTree(), field.Name) {
			leaves(t, all, given(nil, strict, w), "")
			continue
		}
		if at < 0 {
			t.Errorf("%s is a weakness of no option", field.Name)
			continue
		}
		leaves(t, all, given(nil, strict, w), owners()[at].option)
	}
}

// leaves wants all options but one.
func leaves(t *testing.T, all, left []string, but string) {
	t.Helper()
	want := slices.DeleteFunc(slices.Clone(all), func(o string) bool { return o == but })
	slices.Sort(want)
	if slices.Sort(left); !slices.Equal(want, left) {
		t.Errorf("without %q there is %q", but, left)
	}
}
