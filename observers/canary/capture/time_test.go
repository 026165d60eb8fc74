package capture

import (
	"testing"

	"postern/observers/canary/layer/layertest"
)

func TestTimeGrowsWithTheInput(t *testing.T) {
	const size = 16 << 10
	small, large := hostile(size), hostile(layertest.Larger*size)
	for name := range small {
		layertest.Linear(t, name, func(b []byte) { openAll(t, b, 64<<10+2*len(b)) }, small[name], large[name])
	}
}
