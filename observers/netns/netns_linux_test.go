package netns

import (
	"errors"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

func needsRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces are made by root")
	}
}

// made is a new namespace and the path by which it is found.
func made(t *testing.T) string {
	t.Helper()
	needsRoot(t)
	f, err := New(func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	path := t.TempDir() + "/ns"
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), path, "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(path, unix.MNT_DETACH) })
	return path
}

func current(t *testing.T) string {
	t.Helper()
	ns, err := os.Readlink("/proc/thread-self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	return ns
}

// However many goroutines go elsewhere, the process stays where it is.
func TestTheProcessStaysWhereItIs(t *testing.T) {
	path := made(t)
	home := current(t)
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			err := Inside(path, func() error {
				if all, err := net.Interfaces(); err != nil || len(all) != 1 {
					t.Errorf("%d interfaces, want the loopback alone (%v)", len(all), err)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if now := current(t); now != home {
				t.Error("a thread came back from elsewhere")
			}
		})
	}
	wg.Wait()
	if first, _ := os.Readlink("/proc/self/ns/net"); first != home {
		t.Error("the first thread went elsewhere")
	}
}

func TestFailuresAreTold(t *testing.T) {
	path := made(t)
	own := errors.New("own")
	if err := Inside(path, func() error { return own }); !errors.Is(err, own) {
		t.Errorf("%v", err)
	}
	if err := Inside("", func() error { return own }); !errors.Is(err, own) {
		t.Errorf("%v", err)
	}
	if err := Inside("/no/such", func() error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := Inside("/proc/self/ns/uts", func() error { return nil }); err == nil {
		t.Error("another kind of namespace was entered")
	}
}
