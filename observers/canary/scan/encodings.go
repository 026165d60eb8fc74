package scan

import (
	"postern/observers/canary/container"
	"postern/observers/canary/layer"
	"postern/observers/canary/text"
)

// Encodings are the parts that open formats and take off encodings, and no part
// that guesses which bytes belong together, in which order, or where a record
// ends. With them alone megabytes of text take seconds, and as many layers are
// taken off.
func Encodings() []Part {
	var all []Part
	for _, stages := range [][]layer.Stage{container.Stages(), text.Stages()} {
		for _, s := range stages {
			if kind := kindOf(s.Technique); kind != Selects {
				all = append(all, Part{Stage: s, Kind: kind})
			}
		}
	}
	return all
}
