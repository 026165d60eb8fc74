package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// Where the probes of the file channels write. What is mounted by a mutant
// alone is at a path that no container has otherwise.
const (
	atShared   = "/mnt/shared"   // a directory of the host
	atOwned    = "/mnt/owned"    // one that root owns
	atFile     = "/mnt/file"     // a file of the host
	atReadable = "/mnt/readable" // a directory of the host, read-only
	atLocks    = "/mnt/locks"    // files of the host to lock, read-only
	atPeer     = "/mnt/peer"     // another container's volume
	atMemory   = "/mnt/memory"   // a memory filesystem
	atEngine   = "/docker.sock"  // the stand-in of the Engine's socket
)

// What stands in a trial's directory for the file channels.
const (
	readableDirectory = "readable"
	daemonDirectory   = "daemon"
	socketName        = "socket"
	pipeName          = "pipe"
)

// engineGroup owns the stand-in of the Engine's socket. No agent is in it.
const engineGroup = 1<<20 - 1

// files starts the observers of the file channels.
func (o *opening) files() {
	o.writtenFiles()
	o.sharedFiles()
	if !o.ordinary() {
		return
	}
	t := o.trial
	// The layer first: making an archive of it changes the times of access.
	attach(o, channel.SinkLayer, func(w *canary.Watch, p observers.Pilots) (*observers.Layer, error) {
		return observers.NewLayer(t.api, w, p), nil
	})
	if t.cells != nil {
		attach(o, channel.SinkFile, func(w *canary.Watch, p observers.Pilots) (*observers.Lookout, error) {
			return observers.NewTrees(w, p, t.given()...)
		})
	} else {
		attach(o, channel.SinkFile, func(w *canary.Watch, p observers.Pilots) (*observers.File, error) {
			return observers.NewFile(t.api, w, p)
		})
	}
	attach(o, channel.SinkChanges, func(w *canary.Watch, p observers.Pilots) (*observers.Told, error) {
		return observers.NewChanges(t.api, w, p), nil
	})
	attach(o, channel.SinkCommit, func(w *canary.Watch, p observers.Pilots) (*observers.Told, error) {
		return observers.NewCommit(t.api, w, p), nil
	})
	enter(o, channel.SinkLive, func(w *canary.Watch, p observers.Pilots) (*observers.Live, error) {
		return observers.NewLive(t.dir, w, p), nil
	})
	enter(o, channel.SinkLock, func(w *canary.Watch, p observers.Pilots) (*observers.Lock, error) {
		return observers.NewLock(t.locks, w, p), nil
	})
}

// given are the directories and files of the host that the trial's cell may have.
func (t *trial) given() []string {
	return slices.DeleteFunc([]string{t.root, t.site.Shared, t.site.Owned, t.site.File}, func(place string) bool { return place == "" })
}

// writtenFiles says where the agent tries to leave something: in every trial,
// though it is looked for where there is a container.
func (o *opening) writtenFiles() {
	for name, id := range map[string]channel.ID{
		"out": channel.FileRoot, "names": channel.FileName, "directories": channel.FileDirectory, "link": channel.FileLink,
		"sizes": channel.FileSize, "modes": channel.FileMode, "modified": channel.FileModified, "accessed": channel.FileAccessed,
		"hardlinks": channel.FileLinks, "attribute": channel.FileXattr, "deleted": channel.FileDeleted,
	} {
		o.at(fixtures.ScratchDir+"/"+name, id)
	}
	o.at("/owned", channel.FileOwned)
	o.at("/etc/hosts", channel.FileHosts)
	o.at(atShared+"/out", channel.FileBind)
	o.at(atShared+"/spread", channel.FileNameSpread)
	o.at(atOwned+"/out", channel.FileBindOwned)
	o.at(atFile, channel.FileBindFile)
	o.at(fixtures.VolumeDir+"/out", channel.FileVolume)
	o.at(atPeer+"/out", channel.FileVolumePeer)
	o.at(atMemory+"/out", channel.FileMemory)
	o.at(atMemory+"/program", channel.FileProgram)
	o.at(atLocks+"/"+observers.LockRange, channel.FileLockRange)
	o.at(atLocks+"/"+observers.LockHeld, channel.FileLockHeld)
	o.at(atReadable+"/"+socketName, channel.FileSocket)
	o.at(atReadable+"/"+pipeName, channel.FilePipe)
	o.at(atEngine, channel.FileEngine)
}

// sharedFiles starts the observers that wait for what arrives at files of the
// host. The files are there in every trial, and bound into the container by some.
func (o *opening) sharedFiles() {
	var readable, daemon string
	if readable = o.place(readableDirectory); o.err != nil {
		return
	}
	if daemon = o.place(daemonDirectory); o.err != nil {
		return
	}
	open(o, channel.SinkSocket, func(w *canary.Watch, p observers.Pilots) (*observers.Socket, error) {
		return observers.NewSocket(filepath.Join(readable, socketName), w, p)
	})
	open(o, channel.SinkPipe, func(w *canary.Watch, p observers.Pilots) (*observers.Pipe, error) {
		return observers.NewPipe(filepath.Join(readable, pipeName), w, p)
	})
	open(o, channel.SinkDaemon, func(w *canary.Watch, p observers.Pilots) (*observers.Socket, error) {
		return observers.NewDaemon(filepath.Join(daemon, socketName), engineGroup, w, p)
	})
}

// place makes a directory of the trial's for the opening.
func (o *opening) place(name string) string {
	if o.err != nil {
		return ""
	}
	path, err := o.trial.place(name, 0o755)
	o.err = err
	return path
}

// place makes a directory in the trial's own, if it is not there yet. The
// trial's is closed to other users; what is bound from it is not.
func (t *trial) place(name string, mode os.FileMode) (string, error) {
	path := filepath.Join(t.dir, name)
	if err := os.MkdirAll(path, mode); err != nil {
		return "", fmt.Errorf("making a directory of the trial's: %w", err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask was
		return "", fmt.Errorf("making a directory of the trial's: %w", err)
	}
	return path, nil
}
