package enrol

import (
	"postern/gateway/guard"
	"postern/gateway/guard/clients"
)

// Says is what a row means, in plain words, with what to do.
func (r Row) Says() string {
	switch r.State {
	case Wrapped:
		return "the client starts it through the guard from now on: restart the client"
	case Already:
		return "nothing was changed; to confine it otherwise, disable and enable it"
	case Restored:
		return "its profile was gone from the store, and is there again"
	case Unwrapped:
		return "the client starts it as before: restart the client"
	case Forgotten:
		return "there was a profile of a server that was not wrapped"
	case NotWrapped:
		return "the guard has nothing to do with it: 'postern guard enable' wraps it"
	case HalfEnabled:
		return "its profile is stored, but the client starts it without the guard: enable or disable it again"
	case Gone:
		return "its profile is stored, but the client no longer has it: 'postern guard disable' removes it"
	case OtherProgram:
		return "another program stands where the guard should be: look at the client's file, then disable and enable it"
	case LeftAlone, Failed:
		return left(r.Why)
	}
	if r.Why == StoreDamaged {
		return "the guard's store cannot be used, so nothing that is wrapped is started"
	}
	return guard.Reason(r.Why).Says()
}

func left(why string) string {
	switch clients.Why(why) {
	case clients.NotUTF8:
		return "the client's file is not UTF-8: save it as that"
	case clients.NotJSON:
		return "the client's file is no JSON, not even with comments: correct it"
	case clients.TooDeep:
		return "the client's file has too much inside each other"
	case clients.Misshapen:
		return "what the client's file has there is no server that could be started"
	case clients.Ambiguous:
		return "something is there twice, or a command beside an address: leave one"
	case clients.URL:
		return "the client connects to it, and starts nothing"
	case clients.Variables:
		return "the client puts something else in place of ${...} in its command, which the guard could not hold to its hash: write it out, or move it to env"
	case clients.NotWhole:
		return "it is wrapped, but its markers are not what the guard writes: look at the client's file, and write the original command there"
	case clients.Unreadable:
		return "the client's file cannot be read: look at its owner and mode"
	case clients.NotAFile:
		return "what has the name of the client's file is none"
	case clients.Linked:
		return "the client's file has another name (a hard link), which would keep the old content: remove one"
	case clients.TooLarge:
		return "the client's file is larger than 64 MiB"
	case clients.Busy:
		return "another program changed the client's file meanwhile: end it, and do this again"
	case clients.NotWritten:
		return "the client's file could not be written: look at its directory; it is what it was"
	}
	return guard.Reason(why).Says()
}
