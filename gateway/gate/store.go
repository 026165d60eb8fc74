package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"postern/gateway/statefile"
)

// store is the state file of one gate. Beside it stand a lock file, which
// stays, and for a moment the file that replaces it.
type store struct {
	path  string
	tools string // digest

	mu       sync.Mutex
	lock     *os.File // nil once closed
	written  []byte   // what the file is known to hold
	replaced []byte   // what it may hold instead, after a write that failed
}

// openStore takes the state file for this process and reads it.
func openStore(o Options, tools map[string]bool) (*store, record, error) {
	lock, err := statefile.Lock(o.Path + ".lock")
	if err != nil {
		return nil, record{}, refused(err)
	}
	s := &store{path: o.Path, tools: digest(tools), lock: lock}
	r, err := s.load(o, tools)
	if err != nil {
		return nil, record{}, errors.Join(err, lock.Close())
	}
	return s, r, nil
}

func (s *store) load(o Options, tools map[string]bool) (record, error) {
	data, err := readState(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Create && o.Known == 0:
		return record{}, s.write(record{})
	case errors.Is(err, fs.ErrNotExist):
		return record{}, refuse(StateMissing, nil)
	case err != nil:
		return record{}, err
	}
	r, err := decodeState(data)
	if err != nil {
		return record{}, err
	}
	s.written = data
	return r, r.trust(tools, o.Known)
}

// readState reads a file that nobody else may touch.
func readState(path string) ([]byte, error) {
	data, err := statefile.Read(path, maxState)
	return data, refused(err)
}

// refused is the gate's word for what a state file was refused for.
func refused(err error) error {
	switch {
	case errors.Is(err, statefile.ErrExposed):
		return refuse(StateExposed, nil)
	case errors.Is(err, statefile.ErrChanged):
		return refuse(StateChanged, nil)
	case errors.Is(err, statefile.ErrLarge):
		return refuse(StateMalformed, nil)
	case errors.Is(err, statefile.ErrInUse):
		return refuse(StateInUse, nil)
	}
	return err
}

// holds reports whether the file is known to hold a record.
func (s *store) holds(r record) bool {
	data, err := s.encode(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && bytes.Equal(data, s.written)
}

// write makes a record durable. It refuses to replace what this gate has not
// written: somebody put an older file back, or made another.
func (s *store) write(r record) error {
	data, err := s.encode(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return fs.ErrClosed
	}
	if err := s.unchanged(); err != nil {
		return err
	}
	s.replaced = data
	if err := statefile.Replace(s.path, data); err != nil {
		return fmt.Errorf("writing the state of the policy gate: %w", err)
	}
	s.written, s.replaced = data, nil
	return nil
}

func (s *store) encode(r record) ([]byte, error) {
	r.Format, r.Tools = stateFormat, s.tools
	return r.encode()
}

func (s *store) unchanged() error {
	found, err := readState(s.path)
	if errors.Is(err, fs.ErrNotExist) && s.written == nil {
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(found, s.written) && (s.replaced == nil || !bytes.Equal(found, s.replaced)) {
		return refuse(StateChanged, nil)
	}
	return nil
}

// close gives the file to the next gate. It waits for a write under way.
func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	lock := s.lock
	s.lock = nil
	if err := lock.Close(); err != nil {
		return fmt.Errorf("closing the state of the policy gate: %w", err)
	}
	return nil
}
