"""Check that an address is on the public internet, by its resolved IP address.

The caller connects to the checked IP address, so that a name which later resolves to something else (DNS
rebinding) has no effect.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket

import httpx

from backtrail.tools.web.errors import Refused, Unfetched

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST_URL = 2_000
_SCHEMES = ("http", "https")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def web_address(text: str) -> httpx.URL:
    """Parse an untrusted URL: http(s), with a host, without a password.

    Raises:
        Refused: it is something else.
    """
    shown = repr(text[:100])
    if len(text) > LONGEST_URL or not text.isprintable():
        raise Refused(f"The address {shown} is too long, or not an address.")
    try:
        url = httpx.URL(text.strip())
        port = url.port
    except (httpx.InvalidURL, ValueError, UnicodeError) as error:
        raise Refused(f"{shown} is not an address ({error}).") from None
    if url.scheme not in _SCHEMES or not url.host:
        raise Refused(f"{shown} is not fetched: only http and https addresses are.")
    if url.userinfo:
        raise Refused(f"{shown} is not fetched: it has a user name.")
    if port is not None and port not in (80, 443) and not 1024 <= port <= 65535:
        raise Refused(f"{shown} is not fetched: port {port} is not a web port.")
    return url.copy_with(fragment=None)


def forbidden(address: Address, *, loopback: bool) -> str:
    """Return why an IP address is forbidden; empty if it is allowed.

    Args:
        loopback: whether this machine itself is allowed.
    """
    address = _embedded(address)
    if address.is_loopback:
        return "" if loopback else "this machine itself"
    if address.is_multicast:
        return "a multicast address"
    if address.is_link_local:
        return "a link-local address"
    site_local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    if not address.is_global or address.is_reserved or site_local:
        return "a private or reserved address"
    return ""


def _embedded(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address embeds, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


async def checked_address(url: httpx.URL, *, loopback: bool) -> str:
    """Return the IP address to connect to for a URL.

    Raises:
        Refused: one of the addresses of its host is forbidden.
        Unfetched: the host has no address.
    """
    host = url.raw_host.decode("ascii").strip("[]")
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unfetched(f"{host} has no address ({error}).") from error
    addresses = [ipaddress.ip_address(str(info[4][0]).partition("%")[0]) for info in found]
    for address in addresses:
        if reason := forbidden(address, loopback=loopback):
            raise Refused(f"{host} is not fetched: it is {reason} ({address}).")
    if not addresses:
        raise Unfetched(f"{host} has no address.")
    return str(addresses[0])
