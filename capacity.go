package main

import (
	"math"

	"postern/reports"
)

// capacity is how many bits a second a reader can rely on: those recovered,
// less what the errors among them cost on a binary symmetric channel (Shannon
// 1948): a share p of errors leaves 1-H(p) of each bit, and nothing of one half
// or more, which is guessing. It is rounded to three digits, which is more than
// two measurements agree in.
func capacity(r reports.Residual) float64 {
	if r.BitsRecovered == 0 {
		return 0
	}
	wrong := float64(r.BitErrors) / float64(r.BitsRecovered)
	return rate(float64(r.BitsRecovered)*(1-entropy(wrong)), r.DurationUS)
}

// mitigated is the same with the mitigation in place; the errors are paid for.
func mitigated(r reports.Residual) float64 { return rate(float64(r.MitigatedBits), r.MitigatedUS) }

func rate(bits float64, us int64) float64 {
	if us == 0 {
		return 0
	}
	return significant(bits * 1e6 / float64(us))
}

// entropy is the binary entropy function, in bits.
func entropy(p float64) float64 {
	if p <= 0 {
		return 0
	}
	if p >= 0.5 {
		return 1
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

func significant(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	if unit < 1e-9 {
		return 0
	}
	if unit >= 1 {
		return math.Round(x/unit) * unit
	}
	scale := math.Round(1 / unit) // a power of ten: no digits beyond the third appear
	return math.Round(x*scale) / scale
}
