"""Tokens of the issuer let in and nothing else does; URLs of clients are compared with those that the host lists."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import httpx
import jwt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from loopback.issuer import AUDIENCE, FUTURE, PAST, Issuer

from backtrail.tools.access import tokens
from backtrail.tools.access.addresses import within
from backtrail.tools.access.tokens import TokenRefused, looks_like_token, subject_of
from backtrail.tools.errors import SettingsError


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:
    with Issuer() as running:
        monkeypatch.setenv(tokens.ISSUER, running.url)
        monkeypatch.setenv(tokens.AUDIENCE, AUDIENCE)
        yield running


def test_a_token_names_whom_it_is_about(issuer: Issuer) -> None:
    token = issuer.token("ada", groups=["research", "staff"])
    assert looks_like_token(token)
    assert subject_of(token) == tokens.Subject("oidc-ada", ("research", "staff"))
    assert subject_of(issuer.token("ada", scope="x", groups="a b")).groups == ("a", "b")
    strange = subject_of(issuer.token("auth0|63f1/ada@example.org")).name
    assert strange == subject_of(issuer.token("auth0|63f1/ada@example.org")).name
    assert strange.startswith("oidc-")
    assert strange.isascii()
    assert "|" not in strange
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"], "the keys are fetched once"


def test_another_claim_may_name_them(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tokens.NAME_CLAIM, "preferred_username")
    monkeypatch.setenv(tokens.GROUPS_CLAIM, "roles")
    token = issuer.token("0f3c", preferred_username="ada", roles=["research"])
    assert subject_of(token) == tokens.Subject("oidc-ada", ("research",))
    with pytest.raises(TokenRefused, match="does not name its subject"):
        subject_of(issuer.token("0f3c"))


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "somebody-else"},
        {"aud": None},
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"exp": PAST},
        {"exp": None},
        {"nbf": FUTURE},
        {"sub": None},
    ],
)
def test_what_is_not_meant_for_us_is_refused(issuer: Issuer, claims: dict[str, Any]) -> None:
    with pytest.raises(TokenRefused):
        subject_of(issuer.token(**claims))


def test_other_signatures_are_refused(issuer: Issuer) -> None:
    good = issuer.token()
    with Issuer() as another:
        another.keys = {**another.keys}
        forged = another.token(iss=issuer.url)
    head, body, signature = good.split(".")
    for token in (
        forged,
        f"{head}.{body}.{signature[:-8]}AAAAAAAA",
        f"{head}.{body[:-4]}AAAA.{signature}",
        jwt.encode({"sub": "ada", "iss": issuer.url, "aud": AUDIENCE, "exp": FUTURE}, "", "none"),
        jwt.encode({"sub": "ada", "iss": issuer.url, "aud": AUDIENCE, "exp": FUTURE}, "x" * 64, "HS256"),
        "eyJ.eyJ.x",
        "eyJ" + "x" * 20_000 + "..",
    ):
        with pytest.raises(TokenRefused):
            subject_of(token)


def test_a_new_key_is_fetched_and_strange_ones_are_asked_for_once(issuer: Issuer, monkeypatch: Any) -> None:
    subject_of(issuer.token())
    issuer.rotate("second", curve=True)
    monkeypatch.setattr(tokens, "REFETCH", 0.0)
    assert subject_of(issuer.token()).name == "oidc-ada"
    monkeypatch.setattr(tokens, "REFETCH", 60.0)
    issuer.rotate("third")
    before = len(issuer.asked)
    for _ in range(5):
        with pytest.raises(TokenRefused):
            subject_of(issuer.token())
    assert len(issuer.asked) == before


def test_settings_of_the_host_are_said(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    token = issuer.token()
    monkeypatch.setattr(tokens, "REFETCH", -1.0)
    for elsewhere in ("ftp://x.example/k", "http://127.0.0.1.evil.example/k", "http://localhost@evil.example/k"):
        monkeypatch.setenv(tokens.JWKS, elsewhere)
        with pytest.raises(SettingsError, match="is not an address of an issuer"):
            subject_of(token)
    monkeypatch.setenv(tokens.JWKS, f"{issuer.url}/nothing")
    with pytest.raises(SettingsError, match="cannot be read"):
        subject_of(token)
    monkeypatch.delenv(tokens.JWKS)
    monkeypatch.delenv(tokens.AUDIENCE)
    with pytest.raises(SettingsError, match="tokens for any audience would be accepted"):
        subject_of(token)


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
