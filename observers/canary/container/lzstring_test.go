package container

import (
	"encoding/base64"
	"testing"
)

const lzsText = `{"user":"0123456789abcdef0123456789abcdef","note":"café 猫"}`

// What other programs of lz-string make of the text.
const (
	lzsBase64 = "N4IgrgzgpgTiBcIAMBGATAZgCwFYBsA7ABwCcAhgEYDGAJlAGaqa6GmW0MgA0IAdgPYAXKAhBUy9AJcACQNTOIAL5A=="
	lzsInURL  = "N4IgrgzgpgTiBcIAMBGATAZgCwFYBsA7ABwCcAhgEYDGAJlAGaqa6GmW0MgA0IAdgPYAXKAhBUy9AJcACQNTOIAL5A"
	lzsUTF16  = "\u1be1\u084b\u41bc\u0a80\u2730\u1728\u0080\u11a0\u2623\u1822\u604b\u008c\u01f8\u0090\u0500\u0880\u08e0\u31a0\u1348\u01ba\u54f7\u21c6\u2dc1\u4820\u6860\u0780\u1ee0\u05ea\u0128\u1552\u7a21\u1720\u04a1\u54ee\u1021\u3e60"
)

func TestLZStringIsShown(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(lzsBase64)
	if err != nil {
		t.Fatal(err)
	}
	wantShown(t, raw, LZString, lzsText)
	wantShown(t, []byte("https://play.example/#code/"+lzsInURL+"-"), LZString, lzsText)
	wantShown(t, []byte(`{"saved":"`+lzsUTF16+` ","t":1}`), LZString, lzsText)
}

func TestNoiseIsNoLZString(t *testing.T) {
	for seed := range byte(200) {
		if shows(noise(200, uint64(seed)), LZString, "") {
			t.Errorf("noise %d was shown", seed)
		}
	}
}
