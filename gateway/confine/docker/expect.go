package docker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// allow decides about one value of an account.
type allow = func(v jsontext.Value, a *account) bool

// is allows these spellings, byte for byte. Another spelling of the same
// value is not what an Engine writes.
func is(literals ...string) allow {
	return func(v jsontext.Value, _ *account) bool {
		return slices.Contains(literals, string(v))
	}
}

// isNot allows anything but these spellings.
func isNot(literals ...string) allow {
	return func(v jsontext.Value, a *account) bool { return !is(literals...)(v, a) }
}

// empty allows nothing to be listed. Engines and clients differ in how they
// say it.
func empty() allow { return is(`null`, `[]`, `{}`) }

// never allows nothing: for keys that only occur when something is set.
func never() allow { return func(jsontext.Value, *account) bool { return false } }

// number allows what the account's profile says.
func number(want func(a *account) int64) allow {
	return func(v jsontext.Value, a *account) bool {
		return string(v) == strconv.FormatInt(want(a), 10)
	}
}

// phrase allows a string that holds for the account.
func phrase(ok func(s string, a *account) bool) allow {
	return func(v jsontext.Value, a *account) bool {
		s, err := jsontext.AppendUnquote(nil, v)
		return v.Kind() == '"' && err == nil && ok(string(s), a)
	}
}

// stages allows one thing before the start and another after. What a
// container was when it ran it still is when it has ended.
func stages(created, started allow) allow { return lives(created, started, started) }

// lives tells the end from the run as well.
func lives(created, started, ended allow) allow {
	return func(v jsontext.Value, a *account) bool {
		switch {
		case a.over:
			return ended(v, a)
		case a.started():
			return started(v, a)
		}
		return created(v, a)
	}
}

// either allows what one of two allows.
func either(one, other allow) allow {
	return func(v jsontext.Value, a *account) bool { return one(v, a) || other(v, a) }
}

// none allows a list of strings (or null) in which no entry is of a kind.
func none(kind func(entry string) bool) allow {
	return func(v jsontext.Value, _ *account) bool {
		entries, ok := list(v)
		return ok && !slices.ContainsFunc(entries, kind)
	}
}

// includes allows a list of strings that holds at least these.
func includes(least ...string) allow {
	return func(v jsontext.Value, _ *account) bool {
		entries, ok := list(v)
		return ok && !slices.ContainsFunc(least, func(s string) bool { return !slices.Contains(entries, s) })
	}
}

// words allows any list of strings, or null: what the image says of itself.
func words() allow { return none(func(string) bool { return false }) }

// noMount allows a list of mounts (or null) in which no type is of a kind.
func noMount(kind func(mount string) bool) allow {
	return func(v jsontext.Value, _ *account) bool {
		var mounts []struct{ Type string }
		if json.Unmarshal(v, &mounts) != nil {
			return false
		}
		for _, m := range mounts {
			if kind(m.Type) {
				return false
			}
		}
		return true
	}
}

// labels allows any map of strings.
func labels() allow {
	return func(v jsontext.Value, _ *account) bool {
		var m map[string]string
		return json.Unmarshal(v, &m) == nil && m != nil
	}
}

// id64 allows an id of the Engine's.
func id64() allow { return phrase(func(s string, _ *account) bool { return hexDigits(s) }) }

// absolute allows a path from the root.
func absolute() allow {
	return phrase(func(s string, _ *account) bool { return strings.HasPrefix(s, "/") })
}

// ownFile allows nothing before the start and then the container's own file.
func ownFile(name string) allow {
	return stages(is(`""`), phrase(func(s string, a *account) bool {
		return strings.HasPrefix(s, "/") && strings.HasSuffix(s, "/"+a.id()+"/"+name) || ofPeer(a)
	}))
}

// text is a JSON string's content, or nothing.
func text(v jsontext.Value) string {
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(s)
}

// list reads a list of strings; null is an empty one.
func list(v jsontext.Value) ([]string, bool) {
	var out []string
	err := json.Unmarshal(v, &out)
	return out, err == nil
}
