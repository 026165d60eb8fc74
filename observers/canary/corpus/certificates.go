package corpus

import (
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"time"
)

func certificates() []trick {
	return []trick{
		certificate("certificate-name", 2, false, func(s *scene, c *x509.Certificate) { c.Subject.CommonName = s.hex }),
		certificate("certificate-name-pem", 2, true, func(s *scene, c *x509.Certificate) { c.Subject.CommonName = s.hex }),
		certificate("certificate-host-pem", 2, true, func(s *scene, c *x509.Certificate) { c.DNSNames = []string{s.hex + ".example.com"} }),
		certificate("certificate-serial-pem", 2, true, func(s *scene, c *x509.Certificate) { c.SerialNumber = new(big.Int).SetBytes(s.raw) }),
		certificate("certificate-key-id-pem", 2, true, func(s *scene, c *x509.Certificate) { c.SubjectKeyId = s.raw }),
		certificate("certificate-extension-pem", 2, true, func(s *scene, c *x509.Certificate) {
			c.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Value: s.raw}}
		}),
		certificate("certificate-hosts-pem", 3, true, func(s *scene, c *x509.Certificate) {
			for _, p := range chunks(s.hex, 8) {
				c.DNSNames = append(c.DNSNames, p+".example.com")
			}
		}),
	}
}

func certificate(name string, tier int, armour bool, set func(*scene, *x509.Certificate)) trick {
	return file(name, tier, "crt", func(s *scene) []byte {
		der := s.certificate(func(c *x509.Certificate) { set(s, c) })
		if !armour {
			return der
		}
		return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	})
}

func (s *scene) certificate(set func(*x509.Certificate)) []byte {
	key := ed25519.NewKeyFromSeed(s.noise(32))
	c := &x509.Certificate{
		SerialNumber: big.NewInt(int64(s.Uint32())), Subject: pkix.Name{CommonName: s.word(), Organization: []string{s.word()}},
		NotBefore: time.Unix(1770000000, 0), NotAfter: time.Unix(1800000000, 0),
	}
	set(c)
	return must1(x509.CreateCertificate(nil, c, c, key.Public(), key))
}
