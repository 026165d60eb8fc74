package harness

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"strings"
	"sync/atomic"
)

// engineSocket gives the path by which the watchdog is to reach the Engine, if
// not by the Engine's own: a real proxy that fails the first two kills.
func (t *trial) engineSocket(f fault) (path string, closing func(), err error) {
	if !f.Proxied {
		return "", func() {}, nil
	}
	path = t.dir + "/engine.sock"
	l, err := net.Listen("unix", path)
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: failing(t.engine.Socket(), 2)}
	go server.Serve(l)
	return path, func() { errors.Join(server.Close(), os.Remove(path)) }, nil
}

// failing passes requests on to an Engine, but answers the first n kills with
// an error of its own.
func failing(socket string, n int32) http.Handler {
	pass := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), // a watchdog that has heard enough hangs up
		Rewrite:  func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", "engine" },
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}},
	}
	var left atomic.Int32
	left.Store(n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/kill") && left.Add(-1) >= 0 {
			http.Error(w, `{"message":"not now"}`, http.StatusInternalServerError)
			return
		}
		pass.ServeHTTP(w, r)
	})
}
