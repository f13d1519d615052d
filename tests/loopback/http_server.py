"""What every server on loopback does: it listens on a free port from ``with`` to the end of the block."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self


class Handler(BaseHTTPRequestHandler):
    """Answers a request as a whole, and logs nothing: tests look at what their server received."""

    protocol_version = "HTTP/1.1"

    def content(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def respond(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class HttpServer:
    """A threaded HTTP server; ``listen`` before the block begins."""

    SERVER: ClassVar[type[ThreadingHTTPServer]] = ThreadingHTTPServer
    BELOW: ClassVar[str] = ""

    def listen(self, handler: type[BaseHTTPRequestHandler], address: str = "127.0.0.1") -> None:
        """Take a port; nobody is answered yet."""
        self._closing = threading.Event()
        self._http = self.SERVER((address, 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join(5)
        self._http.server_close()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """Base URL for clients, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}{self.BELOW}"

    def wait(self, seconds: float) -> bool:
        """Be slow, but not slower than the block lasts; whether it is over."""
        return self._closing.wait(seconds)
