package confine

import (
	"errors"
	"strconv"
	"strings"
)

// Ulimit is one process limit; -1 is no limit.
type Ulimit struct {
	Name       string
	Soft, Hard int64
}

// ParseUlimit reads "name=soft:hard".
func ParseUlimit(text string) (Ulimit, error) {
	name, values, found := strings.Cut(text, "=")
	soft, hard, two := strings.Cut(values, ":")
	s, err := strconv.ParseInt(soft, 10, 64)
	h, err2 := strconv.ParseInt(hard, 10, 64)
	if name == "" || !found || !two || err != nil || err2 != nil {
		return Ulimit{}, errors.New("reading a process limit of a profile: want name=soft:hard, both whole numbers")
	}
	return Ulimit{Name: name, Soft: s, Hard: h}, nil
}
