package guard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

// storeVersion is that of the file's shape.
const storeVersion = 1

type storeFile struct {
	Version int           `yaml:"version"`
	Servers []storedEntry `yaml:"servers"`
}

type storedEntry struct {
	Client  string        `yaml:"client"`
	Hash    string        `yaml:"hash"`
	Profile storedProfile `yaml:"profile"`
}

// storedProfile has the fields of Profile in their order, so that one is
// converted into the other.
type storedProfile struct {
	Version  int       `yaml:"version"`
	Server   string    `yaml:"server"`
	Tier     Tier      `yaml:"tier"`
	Required bool      `yaml:"required"`
	Read     []string  `yaml:"read"`
	Mask     []string  `yaml:"mask"`
	Write    []string  `yaml:"write"`
	Scratch  string    `yaml:"scratch"`
	Network  Network   `yaml:"network"`
	Ports    []int     `yaml:"ports"`
	Captured time.Time `yaml:"captured"`
}

func encode(entries []Entry) ([]byte, error) {
	f := storeFile{Version: storeVersion, Servers: []storedEntry{}}
	for _, e := range entries {
		f.Servers = append(f.Servers, storedEntry{e.Client, e.Profile.Hash(), storedProfile(e.Profile)})
	}
	slices.SortFunc(f.Servers, func(a, b storedEntry) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.Profile.Server, b.Profile.Server))
	})
	if twice(f.Servers) {
		return nil, errTwice
	}
	content, err := yaml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("writing the guard's store as YAML: %w", err)
	}
	return content, nil
}

var errTwice = errors.New("a server of one client cannot have two profiles")

func twice(sorted []storedEntry) bool {
	for i := 1; i < len(sorted); i++ {
		if sorted[i-1].Client == sorted[i].Client && sorted[i-1].Profile.Server == sorted[i].Profile.Server {
			return true
		}
	}
	return false
}

// decode takes nothing that encode does not write. What the parser says of the
// text is not passed on: it quotes it.
func decode(content []byte) ([]Entry, error) {
	var f storeFile
	d := yaml.NewDecoder(bytes.NewReader(content))
	d.KnownFields(true)
	if d.Decode(&f) != nil || !errors.Is(d.Decode(new(yaml.Node)), io.EOF) {
		return nil, &Damaged{Misshapen}
	}
	if f.Version != storeVersion {
		return nil, &Damaged{Foreign}
	}
	var entries []Entry
	for _, e := range f.Servers {
		switch p := Profile(e.Profile); {
		case p.Version != Version:
			return nil, &Damaged{Foreign}
		case p.Hash() != e.Hash:
			return nil, &Damaged{Inconsistent}
		default:
			entries = append(entries, Entry{e.Client, p})
		}
	}
	if again, err := encode(entries); err != nil || !bytes.Equal(again, content) {
		return nil, &Damaged{Misshapen}
	}
	return entries, nil
}
