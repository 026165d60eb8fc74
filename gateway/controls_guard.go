package gateway

import "postern/gateway/confine"

// Controls of the guard, which keeps the tool servers.
const (
	GuardTable     confine.Control = "guard.table"
	GuardSecrets   confine.Control = "guard.secrets"
	GuardWrites    confine.Control = "guard.writes"
	GuardNetwork   confine.Control = "guard.network"
	GuardSockets   confine.Control = "guard.sockets"
	GuardSession   confine.Control = "guard.session"
	GuardLifetime  confine.Control = "guard.lifetime"
	GuardCalls     confine.Control = "guard.calls"
	GuardProcesses confine.Control = "guard.processes"
	GuardIPC       confine.Control = "guard.ipc"
)

func guarding() []confine.ControlInfo {
	return []confine.ControlInfo{
		{ID: GuardTable, Title: "a tool server is started as the table of spawn decisions says", Group: "guard"},
		{ID: GuardSecrets, Title: "it reads no secret place", Group: "guard"},
		{ID: GuardWrites, Title: "it writes to its own places alone", Group: "guard"},
		{ID: GuardNetwork, Title: "it has no network", Group: "guard"},
		{ID: GuardSockets, Title: "it sees no socket of another program", Group: "guard"},
		{ID: GuardSession, Title: "it has a session of its own, without a terminal", Group: "guard"},
		{ID: GuardLifetime, Title: "it dies with the gateway, with all that it started", Group: "guard"},
		{ID: GuardCalls, Title: "it makes the system calls of a tool server alone", Group: "guard"},
		{ID: GuardProcesses, Title: "it sees no process but its own", Group: "guard"},
		{ID: GuardIPC, Title: "it shares no memory with other programs", Group: "guard"},
	}
}
