package gate_test

import (
	"context"
	"errors"
	"fmt"

	"postern/gateway/gate"
)

func Example() {
	ctx := context.Background()
	g, err := gate.New([]string{"deliver", "publish"}, gate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()

	if err := g.UpdateJSON(ctx, []byte(`{"revision":1,"revoked":["publish"]}`)); err != nil {
		fmt.Println(err)
	}
	for _, tool := range []string{"deliver", "publish"} {
		leave, err := g.Enter(ctx, tool)
		if refusal := new(gate.Refusal); errors.As(err, &refusal) {
			fmt.Println(tool, refusal.Code)
			continue
		}
		fmt.Println(tool, "admitted")
		leave()
	}
	// Output:
	// deliver admitted
	// publish revoked
}
