"""Addresses: one form for each, none that leads into this machine or its network, and what robots may read."""

import contextlib
import gzip
import ipaddress
import socket
from pathlib import PurePosixPath

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.web.file_names import file_name, hashed_name
from backtrail.ingest.web.references import header_directives, page_references
from backtrail.tools.web.crawling.address import endless, host_key, key, normal, path_of
from backtrail.tools.web.crawling.site_maps import MOST_ENTRIES, looks_like_site_map, read_site_map
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.addresses import checked_address, forbidden, web_address

HERE = "https://example.org/docs/page"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("HTTPS://Example.ORG:443/docs/page#part", HERE),
        ("/docs/x/%2E%2e/page?utm_source=a&gclid=1", HERE),
        ("/docs/page;jsessionid=1A2B?PHPSESSID=3", HERE),
        (" /docs/\n page ", HERE),
        ("?b=2&a=1", f"{HERE}?a=1&b=2"),
        ("//münchen.example", "https://xn--mnchen-3ya.example/"),
        ("javascript:void(0)", ""),
        ("http://user:word@example.org/", ""),
        ("http://[::1", ""),
    ],
)
def test_an_address_has_one_form(written: str, meant: str) -> None:
    assert normal(written, HERE) == meant


@given(st.text(max_size=60))
def test_the_normal_form_of_a_normal_form_is_itself(written: str) -> None:
    once = normal(written, HERE)
    assert not once or normal(once) == once
    assert once.isascii()


def test_scheme_and_www_do_not_tell_pages_apart_and_addresses_that_programs_make_up_are_told() -> None:
    assert key("http://www.example.org/a") == key("https://example.org/a") == "example.org/a"
    assert host_key("https://www.example.org:8443/a/b") == "example.org:8443"
    assert path_of(normal("https://example.org")) == "/"
    repeated = ("/a/b/a/b/a/b/a/b", "/a1" * 30)
    assert [endless(f"https://x.example{path}") for path in repeated] == ["path that repeats itself"] * 2
    assert [endless(f"https://x.example/{path}") for path in ("a/b/c", "y" * 1000)] == ["", "address too long"]


@given(st.text(max_size=300), st.text(max_size=30))
def test_names_of_files_stay_below_their_folder(path: str, query: str) -> None:
    address = normal(f"https://example.org/{path}?{query}") or HERE
    for name in (file_name(address, ".html"), hashed_name(address, ".html")):
        parts = PurePosixPath(name).parts
        assert parts[0] == "example.org"
        assert all(part and not part.startswith((".", "~")) and len(part.encode()) <= 120 for part in parts)
        assert len(name) <= 250
        assert "\0" not in name
        assert "\\" not in name


def test_a_site_map_says_what_it_lists() -> None:
    found = read_site_map(
        b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"
        b"<loc> https://x.example/a </loc><lastmod>2024-05-01</lastmod></url><url><loc>https://x.example/b</loc><lastmod>2999-01-01</lastmod></url>"
        b"<url><lastmod>2024</lastmod></url></urlset>"
    )
    assert [(page.url, page.changed) for page in found.pages] == [
        ("https://x.example/a", 1714521600.0), ("https://x.example/b", 0.0),
    ]  # fmt: skip
    assert read_site_map(b"https://x.example/a\nnonsense\nhttps://x.example/b\n").pages[1].url == "https://x.example/b"
    feed = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://x.example/a'/></entry></feed>"
    assert [page.url for page in read_site_map(feed).pages] == ["https://x.example/a"]


def test_site_maps_that_mean_harm_are_read_as_far_as_is_good() -> None:
    bomb = b"<!DOCTYPE u [<!ENTITY a 'aaaa'>" + b"".join(
        b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 50) for n in range(12)
    )
    entity = bomb + b"]><urlset><url><loc>&m;</loc></url><url><loc>https://x.example/a</loc></url></urlset>"
    assert [page.url for page in read_site_map(entity).pages] in ([], ["https://x.example/a"])
    outside = b"<!DOCTYPE u [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&f;</loc></url></urlset>"
    assert read_site_map(outside).pages == []
    packed = gzip.compress(b"<urlset>" + b" " * 60_000_000 + b"<url><loc>https://x.example/a</loc></url></urlset>")
    assert "more than" in read_site_map(packed).problem or "parsing stopped" in read_site_map(packed).problem
    many = b"<urlset>" + b"<url><loc>https://x.example/a</loc></url>" * (MOST_ENTRIES + 10) + b"</urlset>"
    found = read_site_map(many)
    assert len(found.pages) == MOST_ENTRIES
    assert "first" in found.problem
    assert "parsing stopped" in read_site_map(b"<urlset><url><loc>https://x.example/a</loc></url><url>").problem
    assert not looks_like_site_map(b"\x1f\x8bnonsense")


@pytest.mark.parametrize(
    ("header", "index", "follow"),
    [
        ("", True, True), ("noindex", False, True), ("none", False, False),
        ("googlebot: noindex, backtrail: nofollow", True, False), ("max-snippet: 20, noindex", False, True),
        ("unavailable_after: 2 Jan 2030", True, True),
    ],
)  # fmt: skip
def test_headers_for_robots(header: str, index: bool, follow: bool) -> None:
    robots = header_directives(header)
    assert (robots.index, robots.follow) == (index, follow)


def test_a_page_refers_by_its_base() -> None:
    markup = (
        b"<head><base href='/other/'><meta http-equiv=refresh content='"
        + b" " * 50_000
        + b"!'><meta http-equiv=refresh "
        b"content=' 5 ;  url = next '></head><body><a href='a'>a</a>"
        b"<a href='#x'>x</a><a href='b' rel='external nofollow'>b</a><img data-src='p.png' alt='p'></body>"
    )
    found = page_references(markup, HERE, most_links=100, pictures=10)
    assert set(found.links) == {"https://example.org/other/a", "https://example.org/other/next"}
    assert found.pictures == ("https://example.org/other/p.png",)
    many = b"".join(b"<a href='/%d'>x</a>" % n for n in range(1000))
    assert len(page_references(many, HERE, most_links=100, pictures=0).links) == 100


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
