package observers

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewTLS is a server over TLS, with a certificate that nobody vouches for, that
// deciphers what clients send.
func NewTLS(watch *canary.Watch, pilots Pilots) (*Protocol, error) {
	own, err := certificate()
	if err != nil {
		return nil, fmt.Errorf("starting the tls observer: making a certificate: %w", err)
	}
	config := &tls.Config{
		Certificates:           []tls.Certificate{own},
		NextProtos:             []string{"h2", "http/1.1", "dot"},
		SessionTicketsDisabled: true,
	}
	o := &Protocol{sink: channel.SinkTLS, book: newLedger(), say: sayTLS}
	o.hear = func(_ int, c net.Conn) {
		s := watch.Stream()
		io.Copy(&heard{s, o.book}, tls.Server(c, config)) // a client that breaks off has sent what it has sent
	}
	return o.listen(watch, pilots)
}

// heard counts sightings as they come: a client may never end.
type heard struct {
	stream *canary.Stream
	book   *ledger
}

func (h *heard) Write(p []byte) (int, error) {
	before := h.stream.Sightings()
	n, err := h.stream.Write(p)
	h.book.found(beyond(h.stream.Sightings(), before))
	return n, err
}

// certificate is good for a day, and only for whoever does not ask.
func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// sayTLS says a text over TLS.
func sayTLS(ctx context.Context, address, text string) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp4", address)
	if err != nil {
		return err
	}
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	t := tls.Client(c, &tls.Config{InsecureSkipVerify: true}) // it is ours, on loopback
	if _, err := io.WriteString(t, text); err != nil {
		return err
	}
	if err := t.CloseWrite(); err != nil {
		return err
	}
	return endOf(c)
}
