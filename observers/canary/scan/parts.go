package scan

import (
	"postern/observers/canary/algebra"
	"postern/observers/canary/capture"
	"postern/observers/canary/container"
	"postern/observers/canary/dress"
	"postern/observers/canary/forms"
	"postern/observers/canary/fragment"
	"postern/observers/canary/layer"
	"postern/observers/canary/record"
	"postern/observers/canary/secret"
	"postern/observers/canary/text"
)

// Part is a stage, and how far what it yields is to be trusted.
type Part struct {
	layer.Stage
	Kind Kind
}

// Kind says what a stage does. The zero Kind is a plain decoder.
type Kind int

const (
	Decodes Kind = iota // yields something for most bytes of some alphabet
	Opens               // yields only where a format's own marks are
	Selects             // guesses which bytes belong together, and in which order
	Cuts                // decodes, and may make less text of most bytes, as by leaving out some

	weak   // of a view alone: decoded, and of most bytes of the kind
	proven // of a view alone: decoded, and with no doubt more than there was
)

// kit is what recognises a secret, by how much doubt there is about a piece.
type kit [utmost + 1][]layer.Finder

// finders are all that there are.
func finders(secrets []secret.Secret) (k kit, err error) {
	known, err := forms.New(secrets)
	if err != nil {
		return k, err
	}
	by, pieces := algebra.Grades(secrets), fragment.New(secrets)
	for d := range k {
		k[d] = []layer.Finder{known.Finder(), by.Selected, pieces}
	}
	k[none][1], k[none+1][1] = by.Full, by.Decoded
	return k, nil
}

// parts are all stages.
func parts() []Part {
	var all []Part
	for _, stages := range [][]layer.Stage{container.Stages(), capture.Stages(), text.Stages(), record.Stages(), dress.Stages()} {
		for _, s := range stages {
			all = append(all, Part{Stage: s, Kind: kindOf(s.Technique)})
		}
	}
	return all
}

func kindOf(t layer.Technique) Kind {
	switch t {
	case "container", "masked", "capture", "http-body":
		return Opens
	case "length-prefixed", "compact", "code", // of code: texts in quotes
		"masked-text", "hpack": // both make text of most bytes
		return Cuts
	case "normalised", "host-names", "addresses", "zone", "targets":
		return Selects
	}
	if record.Selects(t) || dress.Selects(t) {
		return Selects
	}
	return Decodes
}
