"""Normal forms of addresses: two addresses of the same page should be equal.

Conservative: only equivalences of RFC 3986, unambiguous names of trackers, and session ids. The lists of courlan and
others also drop parameters such as ``source`` or ``keyword``, by which sites distinguish pages.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

LONGEST = 1000
_CONTROL = re.compile(r"[\x00-\x20\x7f]+")
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_UNSAFE = re.compile(r"[^a-zA-Z0-9\-._~!$&'()*+,;=:@/?%\[\]]")
_TRACKING = re.compile(
    r"(?:utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|"
    r"msclkid|twclid|yclid|ysclid|igshid|igsh|oly_(?:enc|anon)_id|vero_(?:id|conv)|mkt_tok|srsltid|"
    r"(?:j|php|asp)?sess(?:ion)?_?id|aspsessionid\w*|cfid|cftoken|sid)",
    re.I,
)
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*", re.I)
_PORTS = {"http": 80, "https": 443}


def normal(address: str, base: str = "") -> str:
    """Return the normal form of an address, without fragment, tracking and session ids; "" if not http(s).

    Args:
        base: base of relative addresses.
    """
    try:
        written = _CONTROL.sub("", address[: 4 * LONGEST])
        split = urlsplit(urljoin(base, written) if base else written)
        host, port = _host(split), split.port
    except ValueError:
        return ""
    scheme = split.scheme.lower()
    if scheme not in _PORTS or not host or split.username is not None:
        return ""
    place = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    return urlunsplit((scheme, place, _path(split.path), _query(split.query), ""))


def key(address: str) -> str:
    """Return the identity of a page: a normal address without its scheme and ``www.``."""
    return address.partition("://")[2].removeprefix("www.")


def host_key(address: str) -> str:
    """Return the site's part of a key: host and port."""
    return key(address).partition("/")[0]


def path_of(address: str) -> str:
    """The path of a normal address."""
    return urlsplit(address).path or "/"


def folder_of(address: str) -> str:
    """The folder of an address, as a path with slashes at both ends."""
    return path_of(address).rpartition("/")[0] + "/"


def shape(address: str) -> str:
    """Return the key without its query; "" for addresses without one."""
    before, mark, _ = key(address).partition("?")
    return before if mark else ""


def endless(address: str) -> str:
    """Return why an address looks generated without end (a crawler trap); "" if it does not."""
    if len(address) > LONGEST:
        return "address too long"
    parts = [part for part in path_of(address).split("/") if part]
    if len(parts) > 25 or any(parts.count(part) > 3 for part in set(parts)):
        return "path that repeats itself"
    return ""


def _host(split: SplitResult) -> str:
    host = (split.hostname or "").rstrip(".")
    if host and not host.isascii():
        host = host.encode("idna").decode("ascii")  # UnicodeError is a ValueError
    return f"[{host}]" if ":" in host else host


def _path(path: str) -> str:
    """Normalise a path: no dot segments, uniform escapes, no session id."""
    parts: list[str] = []
    split = _SESSION.sub("", path).split("/")
    for place, part in enumerate(split):
        plain = unquote(part) if "%2e" in part.lower() else part
        if plain == "..":
            parts = parts[:-1] if len(parts) > 1 else parts
        elif plain != ".":
            parts.append(part)
        if plain in (".", "..") and place == len(split) - 1:
            parts.append("")
    joined = "/".join(parts)
    return _escaped(joined if joined.startswith("/") else f"/{joined}")


def _query(query: str) -> str:
    kept = [part for part in query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    return _escaped("&".join(sorted(kept)))


def _escaped(text: str) -> str:
    text = _UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace")), text)
    return _ESCAPE.sub(_one_escape, text)


def _one_escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()
