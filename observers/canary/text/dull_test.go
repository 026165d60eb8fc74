package text_test

import (
	"fmt"
	"math/rand/v2"
)

const prose = `It was the clerk who first noticed that the ledger had been moved from its shelf, and that the ink
on the last page was still wet. Nobody in the office would say when they had last seen it; the windows were
shut, the lamp had burned down, and the rain that had begun before noon went on without a pause until evening.
He asked each of them in turn, patiently, what they remembered, and wrote their answers down in a small book.`

const source = `
// readHeader returns the length of the first record, or an error that says
// what was wrong with it.
func (r *recordReader) readHeader(ctx context.Context, buffer []byte) (int, error) {
	if len(buffer) < headerSize || buffer[0] != magicByte {
		return 0, fmt.Errorf("reading header of %q: %w", r.name, errShortRecord)
	}
	for index, field := range r.fields {
		if value, ok := r.lookup[field.Name]; ok && value.Kind() == reflect.Int {
			r.totals[index] += int(value.Int())
		}
	}
	return int(binary.BigEndian.Uint32(buffer[4:8])), nil
}
`

func logLine(r *rand.Rand) string {
	return fmt.Sprintf("2024-03-%02dT%02d:%02d:%02d.%03dZ level=info msg=\"request served\" method=GET path=/api/v1/items/%d status=200 bytes=%d trace=%016x user_agent=\"curl/8.5.0\"\n",
		1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(100000), r.IntN(1<<20), r.Uint64())
}
