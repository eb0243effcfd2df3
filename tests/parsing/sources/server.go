// Package server answers requests.
package server

import (
	"context"
	"fmt"

	log "github.com/example/logging/v2"
	"github.com/example/store/v3"
	. "example.com/dsl"
	_ "example.com/driver"
)

const (
	StatusOK, StatusBad = 200, 400
	maxTries            = 3
)

var ErrClosed = fmt.Errorf("closed")
var (
	defaultServer *Server
	onStart       = func() { log.Info("start") }
)

// Server holds connections.
type Server struct {
	context.Context
	*store.Pool
	Addr, Name string
	handlers   map[string]Handler
}

// Handler answers one request.
type Handler interface {
	Closer
	Serve(ctx context.Context, request *Request) (Response, error)
}

type (
	Request  struct{ Path string }
	Response = store.Row
	Code     int
	Pair[K comparable, V any] struct{ key K; value V }
)

// New makes a server.
func New(addr string, options ...func(*Server)) *Server {
	s := &Server{Addr: addr, handlers: make(map[string]Handler)}
	for _, option := range options {
		option(s)
	}
	return s
}

func (s *Server) Serve(ctx context.Context, request *Request) (Response, error) {
	handler, ok := s.handlers[request.Path]
	if !ok {
		return store.Row{}, ErrClosed
	}
	defer s.Pool.Release(request.Path)
	go log.Infof("serving %s", request.Path)
	return handler.Serve(ctx, request)
}

func (p Pair[K, V]) Key() K { return p.key }

func transform[T any](values []T, apply func(T) T) (result []T) {
	for _, value := range values {
		result = append(result, apply(value))
	}
	return Map[T](result, StatusOK)
}
