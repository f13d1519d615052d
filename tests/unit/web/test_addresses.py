import contextlib
import ipaddress
import socket

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.addresses import checked_address, forbidden, web_address

INNER = [
    "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "198.18.0.1", "192.0.2.7", "::", "fe80::1", "fc00::1", "fd12::3", "ff02::1", "fec0::1",
    "2001:db8::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "2002:0a00:0001::1", "64:ff9b::10.0.0.1",
    "64:ff9b::a9fe:a9fe",
]  # fmt: skip
OUTER = ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
OWN = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]


def test_inner_addresses_are_never_allowed_public_ones_always_and_this_machine_only_when_said() -> None:
    def allowed(loopback: bool) -> list[str]:
        every = [*INNER, *OUTER, *OWN]
        return [one for one in every if not forbidden(ipaddress.ip_address(one), loopback=loopback)]

    assert allowed(loopback=False) == OUTER
    assert allowed(loopback=True) == [*OUTER, *OWN]


@given(st.ip_addresses(v=4).filter(lambda address: not address.is_global))
def test_what_is_not_global_is_forbidden_in_every_disguise(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    for disguise in (number | (0xFFFF << 32), (0x64FF9B << 96) | number, (0x2002 << 112) | (number << 80)):
        assert forbidden(ipaddress.IPv6Address(disguise), loopback=False)


@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "//example.org/", "example.org", "",
        "http://", "http://user:password@example.org/", "http://example.org:22/", "http://example.org:99999/",
        "http://exa\nmple.org/", "http://example.org/" + "a" * 3000, "http://[::1/", "gopher://example.org",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        web_address(text)


@given(st.text(max_size=80))
def test_no_text_gives_anything_but_an_address_or_a_refusal(text: str) -> None:
    with contextlib.suppress(Refused):
        assert web_address(text).scheme in ("http", "https")
    assert str(web_address("https://example.org:8443/a?b=c#d")) == "https://example.org:8443/a?b=c"


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Every name has these addresses."""

    def found(host: str, port: int, *_: object, **__: object) -> list[object]:
        if not addresses:
            raise socket.gaierror(-2, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


async def test_the_checked_address_comes_back_unless_one_of_several_is_inner(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "93.184.216.34")
    assert await checked_address(httpx.URL("https://example.org/"), loopback=False) == "93.184.216.34"
    resolving(monkeypatch, "93.184.216.34", "10.1.2.3")
    with pytest.raises(Refused, match=r"sneaky.example.*10\.1\.2\.3"):
        await checked_address(httpx.URL("https://sneaky.example/"), loopback=False)
    resolving(monkeypatch)
    with pytest.raises(Unfetched) as caught:
        await checked_address(httpx.URL("https://nowhere.example/"), loopback=False)
    assert not isinstance(caught.value, Refused), "a name without an address is lost"


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "127.1", "0177.0.0.1", "[::ffff:7f00:1]", "localhost"])
async def test_odd_spellings_of_this_machine_are_seen_through(host: str) -> None:
    with pytest.raises((Refused, Unfetched)):
        await checked_address(web_address(f"http://{host}/"), loopback=False)
