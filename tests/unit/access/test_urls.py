"""URLs that clients name, compared with those that the host lists."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backtrail.tools.access.addresses import within

ROOT = "http://own.example/v1"
_PIECES = ["/", "..", ".", "%2e", "%2E", "%2f", "%5C", "%25", "2e", "\\", ";", "a", "v1", "?", "#", "@", ":80", "%00",
           "\t", "\n", " ", "．", "／", "%E2%80%A4", "[", "http:"]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
@example("/%2e%2e/stolen")
@example("/%252e%252e/stolen")
@example("/..;a/stolen")
@example("/..\\stolen")
def test_a_url_that_passes_leads_below_the_listed_one_however_it_is_read(rest: str) -> None:
    url = ROOT + rest
    if not within(url, ROOT):
        return
    read = httpx.URL(url)
    assert (read.scheme, read.host, read.port, read.userinfo) == ("http", "own.example", None, b"")
    path = read.raw_path.decode().partition("?")[0]
    for _ in range(4):  # proxies and servers decode more than once
        plain = "/".join(part.partition(";")[0] for part in path.replace("\\", "/").split("/"))
        assert (posixpath.normpath(plain) + "/").startswith("/v1/")
        assert plain.isprintable()
        path = unquote(path)


@pytest.mark.parametrize("rest", ["", "/", "/chat", "/a%20b", "/..a", "/a.b/c", "?a=%2e%2e", ":80"])
def test_ordinary_urls_below_the_listed_one_pass(rest: str) -> None:
    url = ROOT.replace("/v1", ":80/v1") if rest == ":80" else ROOT + rest
    assert within(url, ROOT)
