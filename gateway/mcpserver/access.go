package mcpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Access says who may speak to a server over HTTP.
type Access struct {
	Address netip.AddrPort // where it listens
	Hosts   []string       // values of Host that are let in, besides the address
	Origins []string       // web pages that are let in; without one no browser is
	Token   string         // a bearer token; where empty, whoever reaches the address is let in
}

// minToken is the length of a token that nobody guesses: 128 bits as
// hexadecimal digits.
const minToken = 32

// Validate refuses what would let strangers in.
func (a Access) Validate() error {
	switch {
	case !a.Address.IsValid():
		return errors.New("the address must be an IP address and a port, such as 127.0.0.1:8931")
	case a.Token != "" && len(a.Token) < minToken:
		return fmt.Errorf("the token has fewer than %d characters; make one with: openssl rand -hex 32", minToken)
	case a.Address.Addr().IsLoopback():
		return nil
	case a.Token == "":
		return errors.New("an address that is not a loopback one needs a token")
	case a.Address.Addr().IsUnspecified() && len(a.Hosts) == 0:
		return errors.New("an address that stands for all of the machine's needs the hosts that clients call it by")
	}
	return nil
}

// Listen listens, and notes the port where it was 0.
func (a *Access) Listen() (net.Listener, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(a.Address))
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", a.Address, err)
	}
	a.Address = netip.AddrPortFrom(a.Address.Addr(), l.Addr().(*net.TCPAddr).AddrPort().Port())
	return l, nil
}

// guard lets requests in. A page that a browser shows tells its origin, and one
// that had its name resolved to us tells a host that is not ours.
func (a Access) guard(next http.Handler) http.Handler {
	hosts, token := a.hosts(), sha256.Sum256([]byte("Bearer "+a.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !slices.Contains(hosts, strings.ToLower(r.Host)), !a.fromKnownPage(r):
			say(w, http.StatusForbidden)
		case a.Token != "" && !bears(r, token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			say(w, http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (a Access) hosts() []string {
	hosts := []string{a.Address.String()}
	if a.Address.Addr().IsLoopback() {
		_, port, _ := net.SplitHostPort(a.Address.String())
		hosts = append(hosts, net.JoinHostPort("localhost", port))
	}
	for _, h := range a.Hosts {
		hosts = append(hosts, strings.ToLower(h))
	}
	return hosts
}

func (a Access) fromKnownPage(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && slices.Contains(a.Origins, origins[0])
}

// bears compares digests, so that the time taken tells nothing of the token, its
// length included.
func bears(r *http.Request, want [sha256.Size]byte) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	got := sha256.Sum256([]byte(values[0]))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
