"""Fetch a page or picture of the open web, with the guards for untrusted URLs.

Each redirect is checked like the first address: scheme, port, resolved address, robots.txt. The connection
goes to the checked IP address, with the name in Host and TLS. Bodies are bounded while they arrive,
compressed or not. No cookies, no credentials, no proxies from the environment (a proxy would resolve names
by itself).
"""

from __future__ import annotations

import asyncio
import functools
import ssl
import zlib
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

import httpx

from backtrail.tools.deciders.requests.classify_error import retry_after
from backtrail.tools.web.errors import Refused, TooLarge, Unfetched, WrongKind
from backtrail.tools.web.fetching.addresses import checked_address, web_address

AGENT = "Backtrail"
ANY_KIND = "*/*"
MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_AGAIN = (408, 425, 429)
_ENCODINGS = ("", "identity", "gzip", "x-gzip", "deflate")

Permit = Callable[[httpx.URL], Awaitable[None]]
Admit = Callable[[httpx.URL], None]


@dataclass
class Tally:
    """Number of network requests of one search."""

    requests: int = 0


@dataclass(frozen=True)
class Fetched:
    """A body, with its address after redirects. Names of headers are in lower case."""

    url: str
    status: int
    kind: str
    charset: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@functools.cache
def tls() -> ssl.SSLContext:
    """Return the certificates, read from the disk once per process. Blocks the first time."""
    return httpx.create_ssl_context(trust_env=False)


class Fetcher:
    """Fetches for one search.

    Args:
        loopback: whether this machine itself is allowed.
        timeout: seconds for one fetch, redirects included.
        tally: counter of requests.
    """

    def __init__(self, *, loopback: bool, timeout: float, tally: Tally) -> None:
        self._loopback = loopback
        self._timeout = timeout
        self._tally = tally

    async def check(self, url: str) -> httpx.URL:
        """Return the address if it may be fetched; nothing is sent. Raises Refused or Unfetched."""
        parsed = web_address(url)
        await checked_address(parsed, loopback=self._loopback)
        return parsed

    async def get(self, url: str, *, kinds: Collection[str], most_bytes: int, permit: Permit | None = None) -> Fetched:
        """Fetch a body of one of these media types.

        Raises:
            Refused: our rules forbid it: address, robots.txt, size, media type.
            Unfetched: no answer in time, or an error.
        """
        fetched = await self.answer(url, kinds=kinds, most_bytes=most_bytes, permit=permit)
        if not 200 <= fetched.status < 300:
            raise Unfetched(
                f"{_shown(fetched.url)} answered with HTTP {fetched.status}.", cause=f"HTTP {fetched.status}"
            )
        return fetched

    async def answer(
        self,
        url: str,
        *,
        kinds: Collection[str],
        most_bytes: int,
        permit: Permit | None = None,
        conditions: Mapping[str, str] | None = None,
        admit: Admit | None = None,
    ) -> Fetched:
        """As ``get``, but statuses such as 404 or 304 are returned, with an empty body.

        Args:
            admit: raises for an address that must not be followed, before any request about it.
            conditions: conditional headers such as If-None-Match.
        """
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(web_address(url), kinds, most_bytes, permit, conditions or {}, admit)
        except TimeoutError:
            message = f"{_shown(url)} did not answer within {self._timeout:g} seconds."
            raise Unfetched(message, cause="no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, zlib.error) as error:
            detail = str(error) or type(error).__name__
            raise Unfetched(f"{_shown(url)} could not be fetched ({detail}).") from error

    async def _follow(
        self,
        url: httpx.URL,
        kinds: Collection[str],
        most_bytes: int,
        permit: Permit | None,
        conditions: Mapping[str, str],
        admit: Admit | None,
    ) -> Fetched:
        for _ in range(MOST_REDIRECTS + 1):
            if admit is not None:
                admit(url)
            address = await checked_address(url, loopback=self._loopback)
            if permit is not None:
                await permit(url)
            found = await self._request(url, address, kinds, most_bytes, conditions)
            if isinstance(found, Fetched):
                return found
            url = _joined(url, found)
        message = f"{_shown(str(url))} redirects more than {MOST_REDIRECTS} times."
        raise Unfetched(message, cause="redirects without end")

    async def _request(
        self,
        url: httpx.URL,
        address: str,
        kinds: Collection[str],
        most_bytes: int,
        conditions: Mapping[str, str],
    ) -> Fetched | str:
        """Return the answer of one address, or the target of its redirect."""
        context, agent = await asyncio.to_thread(_identity)  # reads the disk the first time
        pinned = url.copy_with(host=address)
        headers = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": agent,
            "Accept": ", ".join(kinds),
            "Accept-Encoding": "gzip",
            **conditions,
        }
        # One client per hop, so that no cookies and connections are shared.
        async with httpx.AsyncClient(
            verify=context, trust_env=False, follow_redirects=False, timeout=self._timeout
        ) as client:
            name = {"sni_hostname": url.raw_host.decode("ascii")}
            request = client.build_request("GET", pinned, headers=headers, extensions=name)
            self._tally.requests += 1
            response = await client.send(request, stream=True)
            try:
                return await _read(response, url, kinds, most_bytes)
            finally:
                await response.aclose()


async def _read(response: httpx.Response, url: httpx.URL, kinds: Collection[str], most_bytes: int) -> Fetched | str:
    status, shown, headers = response.status_code, _shown(str(url)), dict(response.headers)
    if status in _REDIRECTS and "location" in response.headers:
        return response.headers["location"]
    if status in _AGAIN or status >= 500:
        wait = retry_after(response.headers)
        raise Unfetched(f"{shown} answered with HTTP {status}.", again=True, retry_after=wait, cause=f"HTTP {status}")
    kind, _, parameters = response.headers.get("content-type", "").partition(";")
    kind = kind.strip().lower()
    if not 200 <= status < 300:
        return Fetched(str(url), status, kind, "", b"", headers)
    if kind not in kinds and ANY_KIND not in kinds:
        raise WrongKind(f"{shown} is not read: it is {kind or 'of no stated type'}.", kind)
    body = await _bounded(response, shown, most_bytes)
    return Fetched(str(url), status, kind, _charset(parameters), body, headers)


async def _bounded(response: httpx.Response, shown: str, most_bytes: int) -> bytes:
    """Read the body with bounded decompression, as a small compressed body may be large."""
    too_large = TooLarge(f"{shown} is not read: it has more than {most_bytes} bytes.")
    stated = response.headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > most_bytes:
        raise too_large
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise Refused(f"{shown} is not read: its encoding is {encoding!r}, which was not requested.")
    unpack = zlib.decompressobj(wbits=47) if encoding not in ("", "identity") else None  # 47: gzip or zlib
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += unpack.decompress(chunk, most_bytes + 1 - len(body)) if unpack else chunk
        if len(body) > most_bytes:
            raise too_large
    if unpack and not unpack.eof:
        raise Unfetched(f"{shown} broke off.", cause="broke off")
    return bytes(body)


def _joined(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return web_address(str(url.join(location)))
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused(f"{_shown(str(url))} redirects to {location[:100]!r}, which is not an address.") from error


def _charset(parameters: str) -> str:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'").lower()
    return ""


def _shown(url: str) -> str:
    return url if len(url) <= 200 else url[:199] + "…"


@functools.cache
def _identity() -> tuple[ssl.SSLContext, str]:
    return tls(), f"Mozilla/5.0 (compatible; {AGENT}/{version('backtrail')})"
