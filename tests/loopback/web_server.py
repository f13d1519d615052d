"""A real HTTP server that stands for the web: pages, pictures, and search services under paths of their own.

    with WebServer() as web:
        web.say("/serpapi/search", serpapi_pages({"title": "Elbe", "link": web.url + "/elbe"}))
        web.say("/elbe", page("The Elbe", "It is a river."))
    assert web.asked("/elbe") == 1

A path says one thing for ever, or one thing after the other when it is given several; the last one
stays. What nobody gave is answered with 404, as /robots.txt is. Who asks for what it has already (If-None-Match,
If-Modified-Since) is told so with 304.
"""

import gzip
import io
import json
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from loopback.http_server import Handler, HttpServer
from PIL import Image


@dataclass(frozen=True)
class Said:
    """An answer; ``drip`` sends it byte by byte with that many seconds between, ``endless`` again and again."""

    body: bytes = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    endless: bool = False


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; names of headers in small letters, the first value of each parameter."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


def _has(request: Asked, said: Said) -> bool:
    """Whether who asks holds this answer."""
    pairs = (("if-none-match", "ETag"), ("if-modified-since", "Last-Modified"))
    return any(request.headers.get(asked, "-") == said.headers.get(given) for asked, given in pairs)


def page(title: str, *paragraphs: str) -> Said:
    """An article with the furniture of a site around it."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return Said(
        f"<html><head><title>{title}</title></head><body><nav><a href='/'>Home</a> <a href='/log-in'>Log in</a></nav>"
        f"<main><article><h1>{title}</h1>{text}</article></main><footer>Imprint</footer></body></html>".encode()
    )


def plain(text: str) -> Said:
    return Said(text.encode(), kind="text/plain; charset=utf-8")


def picture(image: Image.Image, kind: str = "PNG", **options: Any) -> Said:
    packed = io.BytesIO()
    image.save(packed, kind, **options)
    return Said(packed.getvalue(), kind=f"image/{kind.lower()}")


def spoken(value: object, status: int = 200, **headers: str) -> Said:
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Said(json.dumps(value).encode(), status, "application/json; charset=utf-8", names)


def redirect(to: str) -> Said:
    return Said(status=302, headers={"Location": to})


def gzipped(said: Said) -> Said:
    return replace(said, body=gzip.compress(said.body), headers={**said.headers, "Content-Encoding": "gzip"})


def _serpapi(engine: str, key: str, *results: Mapping[str, Any], error: str = "") -> Said:
    listed = [{"position": place, **result} for place, result in enumerate(results, start=1)]
    answer: dict[str, Any] = {
        "search_metadata": {"id": "65a1", "status": "Success", "total_time_taken": 1.2},
        "search_parameters": {"engine": engine},
    }
    return spoken({**answer, **({key: listed} if results else {}), **({"error": error} if error else {})})


serpapi_pages = partial(_serpapi, "google", "organic_results")
serpapi_pictures = partial(_serpapi, "google_images", "images_results")
serpapi_lens = partial(_serpapi, "google_lens", "visual_matches")


def serper(key: str, *results: Mapping[str, Any]) -> Said:
    """Serper's answer; ``key`` is organic or images."""
    listed = [{"position": place, **result} for place, result in enumerate(results, start=1)]
    return spoken({"searchParameters": {"q": "?", "type": "search"}, key: listed, "credits": 1})


def jina(title: str, content: str) -> Said:
    """The Jina reader's answer in its JSON form."""
    found = {"title": title, "url": "?", "content": content, "usage": {"tokens": 7}}
    return spoken({"code": 200, "status": 20000, "data": found})


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients give up and reset connections here; that is what is tested."""


class WebServer(HttpServer):
    """The server, running between ``with`` and the end of the block. ``tls`` makes it speak https."""

    SERVER = _Server

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.received: list[Asked] = []
        self._sayings: dict[str, list[Said]] = {}
        self._programs: dict[str, Callable[[Asked], Said]] = {}
        self._lock = threading.Lock()
        self.listen(_handler(self))
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)

    def say(self, path: str, *sayings: Said) -> None:
        """What a path answers: one after the other, the last one for ever."""
        with self._lock:
            self._sayings[path] = list(sayings)

    def say_below(self, prefix: str, program: Callable[[Asked], Said]) -> None:
        """What all paths answer that begin so and were given nothing else."""
        with self._lock:
            self._programs[prefix] = program

    def requests(self, path: str) -> list[Asked]:
        return [one for one in self.received if one.path == path]

    def asked(self, path: str) -> int:
        return len(self.requests(path))

    def answer(self, request: Asked) -> Said:
        with self._lock:
            self.received.append(request)
            sayings = self._sayings.get(request.path)
            if not sayings:
                programs = (said for prefix, said in self._programs.items() if request.path.startswith(prefix))
                program = next(programs, None)
                return program(request) if program else Said(b"not here", 404, "text/plain")
            said = sayings.pop(0) if len(sayings) > 1 else sayings[0]
            return Said(status=304, headers=said.headers) if _has(request, said) else said


def _handler(server: WebServer) -> type[Handler]:
    class Speaking(Handler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = server.answer(Asked(parts.path, query, headers, self.content()))
            if said.delay:
                server.wait(said.delay)
            try:
                self.send_response(said.status)
                kind = {"Content-Type": said.kind} if said.kind else {}
                length = {} if said.endless else {"Content-Length": str(len(said.body))}
                for name, value in {**kind, **length, **said.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self._write(said)
            except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
                self.close_connection = True  # the client gave up, as a slow or large server must expect

        do_POST = do_GET

        def _write(self, said: Said) -> None:
            while said.endless and not server.wait(0):
                self.wfile.write(said.body)
            if not said.drip:
                self.wfile.write(said.body)
                return
            for place in range(len(said.body)):
                self.wfile.write(said.body[place : place + 1])
                self.wfile.flush()
                if server.wait(said.drip):
                    return

    return Speaking
