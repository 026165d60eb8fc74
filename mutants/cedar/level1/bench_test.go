package level1

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkThousandMutants compares a thousand mutants over 2,500 requests.
func BenchmarkThousandMutants(b *testing.B) {
	var source strings.Builder
	for i := range 19 {
		fmt.Fprintf(&source, `@id("p%d") permit (principal in Group::"g", action, resource) when { context.n > %d && context.s == "a" || context has opt && context.opt && context.labels.contains("b") };`, i, i%3)
	}
	in := input(b, source.String(), world)
	in.Rule = Cedar
	for b.Loop() {
		result := run1(b, in)
		b.ReportMetric(float64(len(result.Verdicts)), "mutants")
		b.ReportMetric(float64(result.Requests), "requests")
	}
}
