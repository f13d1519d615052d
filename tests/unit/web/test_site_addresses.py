import gzip
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.web.file_names import file_name, hashed_name
from backtrail.ingest.web.references import header_directives, page_references
from backtrail.tools.web.crawling.address import endless, host_key, key, normal, path_of
from backtrail.tools.web.crawling.site_maps import MOST_ENTRIES, looks_like_site_map, read_site_map

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
