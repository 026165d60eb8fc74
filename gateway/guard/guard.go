// Package guard confines the tool servers that the gateway spawns. A gateway
// inspects frames; a server that reads a private key by itself says nothing of
// it in a frame. So what a server may reach is settled when a person enrols it
// (a Profile, kept in a store), bound by a hash into the client's
// configuration (a marker), and decided again at each spawn by one table.
//
// It promises that a profile once enrolled is the one that is used, that what
// does not fit together is refused, and that nothing runs unconfined without a
// loud notice. It does not look into a server's frames, and does not confine
// what a server asks another program, outside, to do for it.
package guard
