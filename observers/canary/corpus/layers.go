package corpus

// Layer is one encoder, from bytes to bytes.
type Layer struct {
	Name string
	Put  func([]byte) []byte
}

// Layers are all encoders that the composites put upon each other.
func Layers() []Layer {
	var all []Layer
	for _, l := range layers() {
		all = append(all, Layer{l.name, l.f})
	}
	return all
}
