"""A loopback HTTP server that speaks Voyage's embedding protocol and can be told to misbehave."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections import Counter
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

KEY = "pa-secret-0123456789"


def vector_of(text: str, dimensions: int) -> np.ndarray:
    """The vector this service has for a text: noise seeded by its hash."""
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=dimensions).astype(np.float32)


def code_of(text: str, dimensions: int) -> np.ndarray:
    return np.packbits(vector_of(text, dimensions) > 0)


def int8_of(text: str, dimensions: int) -> np.ndarray:
    return np.clip(np.rint(vector_of(text, dimensions) * 32), -128, 127).astype(np.int8)


class VoyageServer:
    """Answers on 127.0.0.1; ``faults`` holds what happens to the next requests before all is well.

    A fault is an HTTP status, or "disconnect" (no answer), "cut" (half a body), "short" (one vector too few),
    "narrow" (vectors too short), "garbage" (no JSON), "odd" (JSON of another shape), "slow" (``delay`` seconds, then
    nothing), "drip" (a byte at a time), "hold" (waits until ``release`` is set, then no answer), None (a good
    answer).
    """

    def __init__(self) -> None:
        self.faults: list[Any] = []
        self.delay = 5.0
        self.tokens_per_byte = 0.3
        self.request_tokens = 120_000
        self.context_tokens = 32_000
        self.requests: list[dict[str, Any]] = []
        self.sold: Counter[str] = Counter()  # texts in answers that were sent whole
        self.release, self.held = threading.Event(), threading.Event()
        self.in_flight = self.most_in_flight = 0
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server.lock:
                    fault = server.faults.pop(0) if server.faults else None
                    server.requests.append(
                        {**body, "path": self.path, "authorization": self.headers.get("Authorization")}
                    )
                    server.in_flight += 1
                    server.most_in_flight = max(server.most_in_flight, server.in_flight)
                try:
                    server.answer(self, body, fault)
                finally:
                    with server.lock:
                        server.in_flight -= 1

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a client that went away is part of the tests

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def tokens(self, texts: list[str]) -> int:
        return sum(int(len(t.encode()) * self.tokens_per_byte) + 1 for t in texts)

    def answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], fault: Any) -> None:
        texts, dimensions, dtype = body["input"], body["output_dimension"], body["output_dtype"]
        if handler.headers.get("Authorization") != f"Bearer {KEY}":
            return self.send(handler, 401, {"detail": "Provided API key is invalid."})
        refused = self.refusal(texts, body)
        if fault is None and refused:
            return self.send(handler, 400, {"detail": refused})
        if isinstance(fault, int):
            return self.send(handler, fault, {"detail": f"injected {fault}"}, {"Retry-After": "0"})
        if fault == "disconnect":
            return handler.connection.shutdown(socket.SHUT_RDWR)
        if fault == "slow":
            self.release.wait(self.delay)
            return None
        if fault == "hold":
            self.held.set()
            self.release.wait(30)
            return None
        if fault == "garbage":
            return self.send_bytes(handler, 200, b"<html>bad gateway</html>")
        if fault == "odd":
            return self.send(handler, 200, {"answer": 42})
        rows = []
        for i, text in enumerate(texts):
            vector = vector_of(text, dimensions)
            row = {"float": vector, "int8": int8_of(text, dimensions), "ubinary": code_of(text, dimensions)}[dtype]
            if fault == "narrow":
                row = row[:-1]
            rows.append({"object": "embedding", "embedding": base64.b64encode(row.tobytes()).decode(), "index": i})
        if fault == "short":
            rows = rows[:-1]
        data = json.dumps(
            {"object": "list", "data": rows, "model": body["model"], "usage": {"total_tokens": self.tokens(texts)}}
        ).encode()
        if fault == "cut":
            self.head(handler, 200, len(data))
            handler.wfile.write(data[: len(data) // 2])
            return handler.connection.shutdown(socket.SHUT_RDWR)
        if fault == "drip":
            self.head(handler, 200, len(data))
            for byte in data:
                if self.release.is_set():
                    return None
                handler.wfile.write(bytes([byte]))
                time.sleep(0.02)
            return None
        if fault is None:
            with self.lock:
                self.sold.update(texts)
        return self.send_bytes(handler, 200, data)

    def refusal(self, texts: list[str], body: dict[str, Any]) -> str | None:
        if body.get("truncation") is not False:
            return "this test wants truncation=false"
        if len(texts) > 1000:
            return "The batch size limit is 1000."
        if any(not t for t in texts):
            return "Input cannot contain empty strings."
        if any(self.tokens([t]) > self.context_tokens for t in texts):
            return "An input exceeds the context length."
        if self.tokens(texts) > self.request_tokens:
            return f"The max allowed tokens per submitted batch is {self.request_tokens}."
        return None

    def head(
        self, handler: BaseHTTPRequestHandler, status: int, length: int, headers: dict[str, str] | None = None
    ) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(length))
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()

    def send_bytes(
        self, handler: BaseHTTPRequestHandler, status: int, data: bytes, headers: dict[str, str] | None = None
    ) -> None:
        self.head(handler, status, len(data), headers)
        handler.wfile.write(data)

    def send(
        self, handler: BaseHTTPRequestHandler, status: int, body: Any, headers: dict[str, str] | None = None
    ) -> None:
        self.send_bytes(handler, status, json.dumps(body).encode(), headers)
