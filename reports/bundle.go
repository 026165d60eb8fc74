package reports

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Staging is a bundle in the making, in a directory beside the place where it
// will be. The order is WriteManifest, the trials, WriteEvidence, Seal,
// Publish; each refuses to be called out of turn. Defer Discard after Stage.
// It is not safe for use by several goroutines.
type Staging struct {
	Dir string // where the files are until Publish; scan them there

	final   string
	held    *os.File
	root    *os.Root
	schemas schemas
	stage   int
	place   map[string]int // of each trial in the manifest
	digest  string         // of the manifest
}

// What has been done to a Staging.
const (
	staged = iota
	planned
	written
	sealed
	over
)

// Stage checks out as Check does, takes the staging directory for it (mode
// 0700) and clears what a killed run left there. While one process holds it,
// another gets an error.
func Stage(out string) (*Staging, error) {
	if err := Check(out); err != nil {
		return nil, err
	}
	final, err := target(out)
	if err != nil {
		return nil, err
	}
	compiled, err := compileSchemas()
	if err != nil {
		return nil, err
	}
	dir := stagingPath(final)
	held, root, err := claim(dir)
	if err != nil {
		return nil, err
	}
	if err := recoverOld(final); err != nil {
		return nil, errors.Join(err, os.Remove(dir), root.Close(), held.Close())
	}
	return &Staging{Dir: dir, final: final, held: held, root: root, schemas: compiled}, nil
}

// WriteManifest writes the plan down, to the disk itself, before the first
// trial. It sets the schema version.
func (s *Staging) WriteManifest(m Manifest) error {
	if s.stage != staged {
		return errors.New("writing the manifest: out of turn")
	}
	m.Schema = SchemaVersion
	data, err := encode(m)
	if err != nil {
		return errors.New("writing the manifest: it has no JSON form")
	}
	problems := append(validate(s.schemas.manifest, manifestFile, data), Shapes(manifestFile, data)...)
	if err := asError(problems); err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	if err := s.write(manifestFile, data); err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	s.place = map[string]int{}
	for i, t := range m.Trials {
		s.place[t.ID] = i
	}
	s.digest, s.stage = digest(data), planned
	return nil
}

// WriteEvidence completes the evidence (see Complete), puts its trials in the
// order of the manifest, and writes evidence.json and junit.xml. It sets the
// schema version, the generator's name and the manifest's digest. It returns
// what it wrote.
func (s *Staging) WriteEvidence(e Evidence) (Evidence, error) {
	if s.stage != planned {
		return Evidence{}, errors.New("writing the evidence: out of turn")
	}
	e.Schema, e.Generator.Name, e.ManifestSHA256 = SchemaVersion, "postern", s.digest
	e.Trials = slices.Clone(e.Trials)
	slices.SortStableFunc(e.Trials, func(a, b Trial) int { return cmp.Compare(s.place[a.ID], s.place[b.ID]) })
	e = Complete(e)
	data, err := encode(e)
	if err != nil {
		return Evidence{}, errors.New("writing the evidence: it has no JSON form")
	}
	problems := append(validate(s.schemas.evidence, evidenceFile, data), Shapes(evidenceFile, data)...)
	if err := asError(capped(problems)); err != nil {
		return Evidence{}, fmt.Errorf("writing the evidence: %w", err)
	}
	view, err := junit(e)
	if err != nil {
		return Evidence{}, err
	}
	if err := errors.Join(s.write(evidenceFile, data), s.write(junitFile, view)); err != nil {
		return Evidence{}, fmt.Errorf("writing the evidence: %w", err)
	}
	s.stage = written
	return e, nil
}

// Seal writes SHA256SUMS, for `sha256sum -c`, and opens the bundle as a
// stranger would: what is sealed has no problem.
func (s *Staging) Seal() error {
	if s.stage != written {
		return errors.New("sealing the bundle: out of turn")
	}
	files := map[string][]byte{}
	for _, name := range contents() {
		data, problem, err := read(s.root, name)
		if err != nil {
			return fmt.Errorf("sealing the bundle: %w", err)
		}
		if problem != nil {
			return fmt.Errorf("sealing the bundle: %w", problem)
		}
		files[name] = data
	}
	if err := s.write(sumsFile, sums(files)); err != nil {
		return fmt.Errorf("sealing the bundle: %w", err)
	}
	_, problems, err := openIn(s.root)
	if err := errors.Join(err, asError(problems)); err != nil {
		return fmt.Errorf("sealing the bundle: %w", err)
	}
	s.stage = sealed
	return nil
}

// Publish puts the sealed bundle in its place in one step. Before that step
// the old bundle stands there whole, after it the new one.
func (s *Staging) Publish() error {
	if s.stage != sealed {
		return errors.New("publishing the bundle: out of turn")
	}
	if err := Check(s.final); err != nil {
		return fmt.Errorf("publishing the bundle: %w", err)
	}
	if err := s.root.Chmod(".", 0o755); err != nil {
		return fmt.Errorf("publishing the bundle: %w", err)
	}
	done, err := install(s.Dir, s.final)
	if done {
		s.stage = over // from here on s.root is the published bundle: Discard must not touch it
		err = errors.Join(err, syncDir(filepath.Dir(s.final)), s.root.Close(), s.held.Close())
	}
	if err != nil {
		return fmt.Errorf("publishing the bundle: %w", err)
	}
	return nil
}

// Discard removes the staging directory; after Publish or Discard it does
// nothing.
func (s *Staging) Discard() error {
	if s.stage == over {
		return nil
	}
	s.stage = over
	err := errors.Join(empty(s.root), os.Remove(s.Dir), s.root.Close(), s.held.Close())
	if err != nil {
		return fmt.Errorf("discarding the bundle: %w", err)
	}
	return nil
}

// write makes a file that is not there yet and waits until the disk has it.
func (s *Staging) write(name string, data []byte) error {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close(), s.held.Sync())
}
