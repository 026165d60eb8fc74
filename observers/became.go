package observers

import (
	"slices"
	"strings"

	"postern/fixtures/channel"
)

// became reports whether a process, of which the kernel says this status, has
// what a channel is about. Pilots need nothing. To read the command lines of
// others takes the host's root, so that no other channel ends here.
func became(id channel.ID, status string) bool {
	users, groups := identity(status, "Uid"), identity(status, "Gid")
	if len(users) != 4 || len(groups) != 4 {
		return false
	}
	switch id {
	case channel.ProcessUserRoot:
		return users[0] == "0"
	case channel.ProcessUserGained:
		return users[0] != "0" && users[1] == "0"
	case channel.ProcessCapability:
		caps := identity(status, "CapEff")
		return len(caps) == 1 && strings.Trim(caps[0], "0") != ""
	case channel.ProcessGroup: // a trial's user and group have one number
		all := append(groups, identity(status, "Groups")...)
		return slices.ContainsFunc(all, func(g string) bool { return g != users[0] })
	}
	return id == channel.PilotBefore || id == channel.PilotAfter
}

// identity are the words of one line of a status, proc_pid_status(5).
func identity(status, name string) []string {
	_, rest, _ := strings.Cut("\n"+status, "\n"+name+":")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Fields(line)
}
