package audit

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"postern/gateway/statefile"
)

// Key opens the commitments of one session. Nothing prints it: its secret has
// no other way out than a key file.
type Key struct {
	Session string
	secret  secret
}

// keyFormat opens a key file: one line of it, the session's id and the secret
// in hexadecimal.
const keyFormat = "postern-audit-key-1"

// maxKey bounds a key file, in bytes.
const maxKey = 256

// ErrNoKey is the error about a file that holds no key.
var ErrNoKey = errors.New("this is no key file of an audit log")

// Format prints none of it, whatever the verb.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, "[key of an audit session]") }

// Keep writes the key into a new file of a directory, which only this user can
// read, and waits until the disk has it. To destroy the key is to destroy this
// file and every copy: the commitments are noise from then on. On disks that do
// not overwrite in place, removing the file leaves its bytes until they are
// reused, so the directory belongs on an encrypted or a volatile file system.
func (k Key) Keep(dir string) (path string, err error) {
	path = filepath.Join(dir, k.Session+".key")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("keeping the key of an audit session: %w", err)
	}
	_, err = fmt.Fprintf(f, "%s %s %s\n", keyFormat, k.Session, hex.EncodeToString(k.secret[:]))
	if err := errors.Join(err, f.Sync(), f.Close(), statefile.SyncDir(dir)); err != nil {
		return "", errors.Join(fmt.Errorf("keeping the key of an audit session: %w", err), os.Remove(path))
	}
	return path, nil
}

// ReadKey reads a key file, which nobody else may be able to read.
func ReadKey(path string) (Key, error) {
	text, err := statefile.Read(path, maxKey)
	if err != nil {
		return Key{}, fmt.Errorf("reading the key of an audit session: %w", err)
	}
	return parseKey(string(text))
}

// parseKey accepts what Keep writes and nothing else. The error repeats
// nothing of it.
func parseKey(text string) (Key, error) {
	line, whole := strings.CutSuffix(text, "\n")
	fields := strings.Split(line, " ")
	if !whole || len(fields) != 3 || fields[0] != keyFormat || fields[1] == "" || len(fields[2]) != 2*len(secret{}) {
		return Key{}, ErrNoKey
	}
	k := Key{Session: fields[1]}
	if n, err := hex.Decode(k.secret[:], []byte(fields[2])); err != nil || n != len(k.secret) {
		return Key{}, ErrNoKey
	}
	return k, nil
}
