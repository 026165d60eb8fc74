package observers

import (
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/docker/docker/pkg/stdcopy"
)

func TestDemultiplex(t *testing.T) {
	var stream bytes.Buffer
	out, stderr := stdcopy.NewStdWriter(&stream, stdcopy.Stdout), stdcopy.NewStdWriter(&stream, stdcopy.Stderr)
	out.Write([]byte("one "))
	stderr.Write([]byte("bad "))
	out.Write([]byte("two"))
	out.Write(nil)
	whole := stream.Bytes()
	var gotOut, gotErr bytes.Buffer
	if err := demultiplex(iotest.OneByteReader(bytes.NewReader(whole)), &gotOut, &gotErr); err != nil || gotOut.String() != "one two" || gotErr.String() != "bad " {
		t.Errorf("%d and %d bytes, error %v", gotOut.Len(), gotErr.Len(), err)
	}
	ends := map[int]bool{0: true, 12: true, 24: true, 35: true, 43: true}
	for cut := range len(whole) + 1 {
		err := demultiplex(bytes.NewReader(whole[:cut]), &gotOut, &gotErr)
		if ends[cut] != (err == nil) {
			t.Errorf("cut at %d: error %v", cut, err)
		}
	}
	stdcopy.NewStdWriter(&stream, stdcopy.Systemerr).Write([]byte("failed"))
	if demultiplex(&stream, &gotOut, &gotErr) == nil {
		t.Error("a failure of the Engine in the stream was taken for output")
	}
	if demultiplex(iotest.ErrReader(errors.New("broken")), &gotOut, &gotErr) == nil {
		t.Error("a broken stream was taken for whole")
	}
}
