"""The fetcher against a real server: guards on the first address and on every redirect, limits, time-outs."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures.certificates import certificate
from loopback.web_server import Said, WebServer, gzipped, page, plain, redirect

from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching import fetch
from backtrail.tools.web.fetching.fetch import Fetched, Fetcher, Tally
from backtrail.tools.web.fetching.robots import Robots

KINDS = ("text/html", "text/plain")


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


def fetcher(*, loopback: bool = True, timeout: float = 5, tally: Tally | None = None) -> Fetcher:
    return Fetcher(loopback=loopback, timeout=timeout, tally=tally or Tally())


async def get(url: str, **options: Any) -> Fetched:
    return await fetcher(**options).get(url, kinds=KINDS, most_bytes=50_000)


async def test_a_page_comes_with_its_address_type_and_charset(web: WebServer) -> None:
    web.say("/a", redirect("/b?c=d"))
    web.say("/b", page("B", "Text."))
    tally = Tally()
    found = await get(f"{web.url}/a", tally=tally)
    assert found.url == f"{web.url}/b?c=d"
    assert (found.kind, found.charset) == ("text/html", "utf-8")
    assert b"Text." in found.body
    assert tally.requests == 2
    assert web.requests("/b")[0].query == {"c": "d"}
    assert "Backtrail" in web.requests("/b")[0].headers["user-agent"]
    assert "cookie" not in web.requests("/b")[0].headers


async def test_this_machine_is_not_asked_unless_said(web: WebServer) -> None:
    for host in ("127.0.0.1", "localhost"):
        with pytest.raises(Refused, match="this machine"):
            await get(f"http://{host}:{web.port}/a", loopback=False)
    assert not web.received


@pytest.mark.parametrize(
    "target",
    [
        "http://10.0.0.7/admin", "http://169.254.169.254/latest/meta-data/", "http://[::ffff:192.168.0.1]/",
        "http://0.0.0.0/", "file:///etc/passwd", "ftp://example.org/x", "http://user:pw@example.org/",
        "http://93.184.216.34:22/", "javascript:alert(1)",
    ],
)  # fmt: skip
async def test_a_redirect_leads_nowhere_that_a_link_may_not(web: WebServer, target: str) -> None:
    web.say("/a", redirect(target))
    with pytest.raises(Unfetched):
        await get(f"{web.url}/a")
    assert [one.path for one in web.received] == ["/a"]


async def test_redirects_end(web: WebServer) -> None:
    web.say("/a", redirect("/a"))
    with pytest.raises(Unfetched, match="redirects more than"):
        await get(f"{web.url}/a")
    assert web.asked("/a") == fetch.MOST_REDIRECTS + 1


async def test_the_connection_goes_to_the_address_that_was_checked(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that would lead elsewhere when asked again (DNS rebinding)."""
    answers = iter(["127.0.0.1", "10.0.0.7"])

    def resolve(host: str, port: int, *_: object, **__: object) -> list[object]:
        assert host == "rebinding.example"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    web.say("/a", page("A", "Text."))
    found = await get(f"http://rebinding.example:{web.port}/a")
    assert found.url == f"http://rebinding.example:{web.port}/a"
    assert web.requests("/a")[0].headers["host"] == f"rebinding.example:{web.port}"
    assert next(answers) == "10.0.0.7"  # it was asked for once


@pytest.mark.parametrize("kind", ["application/pdf", "", "text/htmlx"])
async def test_other_media_types_are_not_read(web: WebServer, kind: str) -> None:
    web.say("/a", Said(b"x", kind=kind))
    with pytest.raises(Refused, match="is not read"):
        await get(f"{web.url}/a")


async def test_a_large_body_is_cut_off_while_it_arrives(web: WebServer) -> None:
    web.say("/stated", plain("x" * 60_000))
    web.say("/unstated", Said(b"x" * 60_000, kind="text/plain", headers={"Content-Length": "1" * 3}))
    web.say("/chunked", Said(b"ea60\r\n" + b"x" * 60_000 + b"\r\n0\r\n\r\n", kind="text/plain", headers=CHUNKED))
    for path in ("/stated", "/chunked"):
        with pytest.raises(Refused, match="more than 50000 bytes"):
            await get(web.url + path)
    assert len((await get(f"{web.url}/unstated")).body) == 111


CHUNKED = {"Transfer-Encoding": "chunked"}


async def test_a_small_body_that_unpacks_to_a_large_one_is_cut_off(web: WebServer) -> None:
    web.say("/small", gzipped(plain("river " * 100)))
    web.say("/bomb", gzipped(plain("x" * 50_000_000)))
    web.say("/odd", Said(b"x", kind="text/plain", headers={"Content-Encoding": "br"}))
    web.say("/broken", Said(gzipped(plain("river " * 9_000)).body[:-20], kind="text/plain", headers=GZIP))
    web.say("/garbage", Said(b"no gzip at all", kind="text/plain", headers=GZIP))
    assert (await get(f"{web.url}/small")).body == b"river " * 100
    with pytest.raises(Refused, match="more than 50000 bytes"):
        await get(f"{web.url}/bomb")
    with pytest.raises(Refused, match="encoding is 'br'"):
        await get(f"{web.url}/odd")
    for path in ("/broken", "/garbage"):
        with pytest.raises(Unfetched):
            await get(web.url + path)


GZIP = {"Content-Encoding": "gzip"}


async def test_slow_dripping_and_absent_servers_are_given_up(web: WebServer) -> None:
    web.say("/slow", Said(b"x", delay=30))
    web.say("/drip", Said(b"x" * 1_000, drip=0.05))
    for path in ("/slow", "/drip"):
        with pytest.raises(Unfetched, match=r"within 0\.3 seconds"):
            await get(web.url + path, timeout=0.3)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(Unfetched, match="could not be fetched"):
            await get(f"http://127.0.0.1:{unused.getsockname()[1]}/")


@pytest.mark.parametrize(("status", "again"), [(404, False), (429, True), (503, True)])
async def test_an_error_of_the_site_says_whether_it_may_pass(web: WebServer, status: int, again: bool) -> None:
    web.say("/a", Said(b"no", status, headers={"Retry-After": "7"}))
    with pytest.raises(Unfetched, match=f"HTTP {status}") as caught:
        await get(f"{web.url}/a")
    assert caught.value.again is again
    assert caught.value.retry_after == (7.0 if again else None)


async def permitted(web: WebServer, path: str, folder: Path) -> None:
    own = fetcher()
    await own.get(f"{web.url}{path}", kinds=KINDS, most_bytes=50_000, permit=Robots(own, WebCache(folder, 1)).permit)


async def test_robots_are_asked_once_and_obeyed(web: WebServer, tmp_path: Path) -> None:
    web.say("/robots.txt", plain("User-agent: *\nDisallow: /private\n\nUser-agent: Backtrail\nDisallow: /machines"))
    web.say("/open", redirect("/machines/1"))
    web.say("/private", page("P", "Text."))
    await permitted(web, "/private", tmp_path)
    with pytest.raises(Refused, match=r"robots\.txt forbids"):
        await permitted(web, "/machines/1", tmp_path)
    with pytest.raises(Refused, match=r"robots\.txt forbids"):
        await permitted(web, "/open", tmp_path)
    assert web.asked("/machines/1") == 0
    assert web.asked("/robots.txt") == 1


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (Said(b"no", 404, "text/plain"), True),
        (Said(b"down", 503, "text/plain"), False),
        (Said(b"x" * 600_000, kind="text/plain"), False),
        (redirect("http://10.0.0.1/robots.txt"), False),
    ],
)
async def test_a_site_whose_robots_cannot_be_read_is_left_alone(
    web: WebServer, tmp_path: Path, robots: Said, allowed: bool
) -> None:
    web.say("/robots.txt", robots)
    web.say("/a", page("A", "Text."))
    if allowed:
        await permitted(web, "/a", tmp_path)
        return
    with pytest.raises(Unfetched, match=r"robots\.txt cannot be read"):
        await permitted(web, "/a", tmp_path)
    assert web.asked("/a") == 0


async def test_https_is_checked_by_name_over_the_pinned_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crt, pem = certificate(tmp_path, "site.example")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(crt, pem)
    asked_for: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    trusting = ssl.create_default_context(cafile=str(crt))
    monkeypatch.setattr(fetch, "_identity", lambda: (trusting, "Backtrail"))

    def resolve(host: str, port: int, *_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with WebServer(tls=serving) as web:
        web.say("/a", page("A", "Text."))
        found = await get(f"https://site.example:{web.port}/a")
        assert b"Text." in found.body
        assert asked_for == ["site.example"]
        with pytest.raises(Unfetched, match=r"(?i)certificate"):
            await get(f"https://other.example:{web.port}/a")
