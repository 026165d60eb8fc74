package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"postern/observers/canary/secret"
)

// keyFile is what to look for, and where each stands.
type keyFile struct {
	secrets []secret.Secret
	lines   []int // of each secret, from 1
	info    fs.FileInfo
}

const (
	shortestKey      = 8        // bytes
	fewestDigits     = 32       // that stand for bytes as well
	fewestCharacters = 4        // different ones: what repeats is in any file, by some substitution
	largestKeyFile   = 16 << 20 // bytes
)

// readKeys reads a key file. What is wrong with it is told by line number: its
// text may be a canary.
func readKeys(path string) (keyFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return keyFile{}, fmt.Errorf("reading the key file: %w", plainError(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return keyFile{}, fmt.Errorf("reading the key file: %w", plainError(err))
	}
	b, err := io.ReadAll(io.LimitReader(f, largestKeyFile+1))
	if err != nil {
		return keyFile{}, fmt.Errorf("reading the key file: %w", plainError(err))
	}
	if len(b) > largestKeyFile {
		return keyFile{}, fmt.Errorf("the key file has more than %d bytes", largestKeyFile)
	}
	keys, err := parseKeys(b)
	keys.info = info
	return keys, err
}

var errNoKey = errors.New("the key file holds no canary")

// parseKeys takes a canary that stands there twice for its first line.
func parseKeys(b []byte) (keyFile, error) {
	var keys keyFile
	known := map[string]bool{}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	for n, line := range bytes.Split(b, []byte("\n")) {
		line = bytes.TrimRight(line, "\r")
		if len(bytes.TrimSpace(line)) == 0 || known[string(line)] {
			continue
		}
		if len(line) < shortestKey {
			return keyFile{}, fmt.Errorf("the key file's line %d is too short: a canary has at least %d bytes", n+1, shortestKey)
		}
		if distinct(line) < fewestCharacters {
			return keyFile{}, fmt.Errorf("the key file's line %d is too regular to be told from chance: a canary has at least %d different characters", n+1, fewestCharacters)
		}
		known[string(line)] = true
		keys.secrets = append(keys.secrets, secret.New(line, spelled(line)))
		keys.lines = append(keys.lines, n+1)
	}
	if len(keys.secrets) == 0 {
		return keyFile{}, errNoKey
	}
	return keys, nil
}

func distinct(line []byte) int {
	seen := map[byte]bool{}
	for _, c := range line {
		seen[c] = true
	}
	return len(seen)
}

// spelled is what the hexadecimal digits behind the last '-' stand for. Too few
// of them, or an odd number, are text and nothing else.
func spelled(line []byte) []byte {
	digits := line[bytes.LastIndexByte(line, '-')+1:]
	if len(digits) < fewestDigits {
		return nil
	}
	raw := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(raw, digits); err != nil {
		return nil
	}
	return raw
}

// plainError leaves the path out of an error: the user knows it, and it may
// hold a canary.
func plainError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
