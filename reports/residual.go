package reports

import (
	"cmp"
	"slices"
)

// Residual is what was measured of a channel that stays open with all controls
// in place: how many bits a reader recovered without knowing them beforehand.
type Residual struct {
	Channel       string  `json:"channel"`
	Profile       Profile `json:"profile"`
	Reader        Reader  `json:"reader"`
	BitsSent      int     `json:"bits_sent"`      // > 0
	BitsRecovered int     `json:"bits_recovered"` // right or wrong; more than were sent where the reader heard too much
	BitErrors     int     `json:"bit_errors"`     // of those recovered
	DurationUS    int64   `json:"duration_us"`    // > 0
	Mitigation    string  `json:"mitigation"`     // what was tried against it; "" for nothing
	MitigatedBits int     `json:"mitigated_bits"` // recovered with the mitigation in place
	MitigatedUS   int64   `json:"mitigated_us"`   // which took so long
}

// key is what makes a measurement the only one of its kind.
func (r Residual) key() [4]string {
	return [4]string{r.Channel, string(r.Profile), string(r.Reader), r.Mitigation}
}

// consistent reports whether the counts can be those of one measurement.
func (r Residual) consistent() bool {
	return r.BitErrors <= r.BitsRecovered && r.BitsRecovered-r.BitErrors <= r.BitsSent && (r.Mitigation != "" || r.MitigatedBits == 0 && r.MitigatedUS == 0)
}

func byKey(a, b Residual) int {
	x, y := a.key(), b.key()
	return slices.CompareFunc(x[:], y[:], cmp.Compare[string])
}

// ordered sorts the residuals as the format has them.
func ordered(residuals []Residual) []Residual {
	sorted := slices.Clone(residuals)
	slices.SortStableFunc(sorted, byKey)
	return sorted
}
