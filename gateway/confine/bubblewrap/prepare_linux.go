package bubblewrap

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
)

// prepare makes what the sandbox needs on the disk, and says what is to be done.
func (b Backend) prepare(s Server) ([]tree.Step, error) {
	p := s.Profile
	if slices.ContainsFunc(p.Ports, func(port int) bool { return port < 1024 }) {
		return nil, &Unable{PortsLow}
	}
	program := s.Command[0]
	if s.Image != nil {
		program = "" // nothing of it is read
	}
	steps, why, err := tree.Of(p, program, !s.Weak.Sockets)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, &Unable{Why(why)}
	}
	places := []string{tree.Base(p.Scratch)}
	for _, step := range steps {
		if step.Does == tree.Give && step.Source != step.Place {
			places = append(places, step.Source)
		}
	}
	for _, place := range places {
		if os.MkdirAll(place, 0o700) != nil {
			return nil, &Unable{ScratchMissing}
		}
	}
	return steps, nil
}

// InMemory makes a file without a name of each content, to be read from its
// beginning.
func InMemory(contents ...[]byte) ([]*os.File, error) {
	var files []*os.File
	for _, content := range contents {
		fd, err := unix.MemfdCreate("postern", unix.MFD_CLOEXEC)
		if err != nil {
			closeAll(files)
			return nil, fmt.Errorf("making a file in memory: %w", err)
		}
		f := os.NewFile(uintptr(fd), "postern")
		files = append(files, f)
		if _, err := f.WriteAt(content, 0); err != nil {
			closeAll(files)
			return nil, fmt.Errorf("writing a file in memory: %w", err)
		}
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
