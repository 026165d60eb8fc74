package reports

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// digestComment marks the strings of the schemas that may look random.
const digestComment = "digest"

// digests are the places of a file where the schema has a digest, and what one
// looks like there: what may look random in a bundle is written down in the
// schemas, and nowhere else.
type digests map[jsontext.Pointer]*regexp.Regexp

var evidenceDigests = sync.OnceValue(func() digests { return digestsIn(evidenceSchema) })
var manifestDigests = sync.OnceValue(func() digests { return digestsIn(manifestSchema) })

// digestsOf gives none for a file that is not JSON.
func digestsOf(file string) digests {
	switch file {
	case evidenceFile:
		return evidenceDigests()
	case manifestFile:
		return manifestDigests()
	}
	return nil
}

// schemaNode is what of a schema says where in a document its strings are. A
// digest in a list or under $defs would be at no place that is known
// beforehand: it is not found here, and so never left out.
type schemaNode struct {
	Comment    string                `json:"$comment"`
	Pattern    string                `json:"pattern"`
	Properties map[string]schemaNode `json:"properties"`
}

func digestsIn(schema []byte) digests {
	var root schemaNode
	if json.Unmarshal(schema, &root) != nil {
		return nil // nothing is left out then; the schema is embedded, and tested
	}
	places := digests{}
	root.collect("", places)
	return places
}

func (n schemaNode) collect(at jsontext.Pointer, places digests) {
	if n.Comment == digestComment && n.Pattern != "" {
		if pattern, err := regexp.Compile(n.Pattern); err == nil {
			places[at] = pattern
		}
	}
	for name, below := range n.Properties {
		below.collect(at.AppendToken(name), places)
	}
}

// allow reports whether the string that was just read may look random.
func (ds digests) allow(d *jsontext.Decoder, text string) bool {
	pattern := ds[d.StackPointer()]
	kind, length := d.StackIndex(d.StackDepth())
	name := kind == '{' && length%2 == 1
	return pattern != nil && !name && pattern.MatchString(text)
}

// lineDigest is where SHA256SUMS has its digests.
var lineDigest = regexp.MustCompile(`(?m)^[0-9a-f]{64}  `)

// Blank returns a file of a bundle with blanks in the place of the digests that
// the format has there: nothing in what is left may look random, and every
// other byte is where it was.
func Blank(file string, data []byte) []byte {
	if file == sumsFile {
		return lineDigest.ReplaceAllFunc(data, func(b []byte) []byte { return bytes.Repeat([]byte{' '}, len(b)) })
	}
	data = bytes.Clone(data)
	places := digestsOf(file)
	if len(places) == 0 {
		return data
	}
	d := jsontext.NewDecoder(bytes.NewReader(bytes.Clone(data)))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return data // the end, or what decode refuses anyway
		}
		if token.Kind() != '"' || !places.allow(d, token.String()) {
			continue
		}
		end := int(d.InputOffset()) - 1 // of the text; a digest has no escapes, or else stays
		if begin := end - len(token.String()); begin > 0 && data[begin-1] == '"' && string(data[begin:end]) == token.String() {
			copy(data[begin:end], bytes.Repeat([]byte{' '}, end-begin))
		}
	}
}
