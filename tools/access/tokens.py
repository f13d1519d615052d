"""Bearer tokens of an OAuth 2 or OpenID Connect issuer: JWTs, checked with its public keys.

``BACKTRAIL_OIDC_ISSUER`` and ``BACKTRAIL_OIDC_AUDIENCE`` name the issuer and the audience of accepted tokens;
``BACKTRAIL_OIDC_JWKS`` the address of the keys, by default from the issuer's discovery document.
``BACKTRAIL_OIDC_NAME`` is the claim of the subject's name (``sub``), ``BACKTRAIL_OIDC_GROUPS`` that of the groups.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
import urllib.request
from dataclasses import dataclass
from functools import cache
from typing import Any

from backtrail.tools.access.addresses import unambiguous
from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.untrusted_values import read_json

ISSUER, AUDIENCE, JWKS = "BACKTRAIL_OIDC_ISSUER", "BACKTRAIL_OIDC_AUDIENCE", "BACKTRAIL_OIDC_JWKS"
NAME_CLAIM, GROUPS_CLAIM = "BACKTRAIL_OIDC_NAME", "BACKTRAIL_OIDC_GROUPS"

PREFIX = "oidc-"
"""Prefix of the names of subjects; no holder of a key has it."""

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a private key. Shared secrets (HS256) and unsigned tokens are never accepted."""

LONGEST = 16_384
"""Characters of a token: a long list of groups takes a few thousand (ours)."""

LEEWAY = 30.0
"""Seconds by which clocks may differ (ours)."""

REFETCH = 10.0
"""Seconds between two fetches of the keys for unknown key ids, which anybody can send (ours)."""

TIMEOUT, MOST_BYTES, MOST_GROUPS = 10.0, 1_000_000, 200
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,55}")


class TokenRefused(Exception):
    """A token is not accepted. The message gives a general reason."""


@dataclass(frozen=True)
class Subject:
    """The subject of a token: name on this server, and groups from the issuer."""

    name: str
    groups: tuple[str, ...] = ()


def takes_tokens() -> bool:
    """Whether the host configured an issuer."""
    return bool(os.environ.get(ISSUER))


def is_subject(name: str) -> bool:
    """Whether a name is that of a token's subject, not of a key's holder."""
    return name.startswith(PREFIX)


def looks_like_token(text: str) -> bool:
    """Whether a text sent as a key has the form of a signed token."""
    return text.count(".") == 2 and text.startswith("eyJ")


def subject_of(token: str) -> Subject:
    """Check a token and return its subject. Blocking: it may fetch the issuer's keys.

    Raises:
        TokenRefused: not of the issuer, not for this audience, expired, or not signed by a key of the issuer.
        SettingsError: the host's settings for tokens cannot be used, or the issuer cannot be reached.
    """
    import jwt

    if len(token) > LONGEST:
        raise TokenRefused("The token is too long.")
    issuer = _issuer()
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            issuer.key_for(token),
            algorithms=list(ALGORITHMS),
            audience=_audience(),
            issuer=issuer.name,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError as error:
        raise TokenRefused(f"The token is not accepted here: {type(error).__name__}.") from error
    named = claims.get(os.environ.get(NAME_CLAIM) or "sub")
    if not isinstance(named, str) or not named:
        raise TokenRefused("The token does not name its subject.")
    return Subject(_name(named), _groups(claims))


def _name(named: str) -> str:
    if _PLAIN.fullmatch(named):
        return f"{PREFIX}{named}"
    return f"{PREFIX}{hashlib.sha256(named.encode()).hexdigest()[:32]}"


def _groups(claims: dict[str, Any]) -> tuple[str, ...]:
    claim = claims.get(os.environ.get(GROUPS_CLAIM) or "groups")
    listed = claim.split() if isinstance(claim, str) else claim if isinstance(claim, list) else []
    return tuple(str(group)[:200] for group in listed[:MOST_GROUPS])


def _audience() -> str:
    if not (audience := os.environ.get(AUDIENCE, "")):
        raise SettingsError(f"{ISSUER} is set and {AUDIENCE} is not: tokens for any audience would be accepted.")
    return audience


class _Issuer:
    """The issuer and its keys as fetched last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._keys: dict[str, Any] = {}
        self._fetched = -REFETCH

    def key_for(self, token: str) -> Any:
        """The public key that a token's header names.

        Raises:
            PyJWTError: the header is unreadable, or names a key that the issuer does not have.
        """
        import jwt

        id_ = str(jwt.get_unverified_header(token).get("kid") or "")
        if id_ not in self._keys and time.monotonic() - self._fetched > REFETCH:
            self._fetched = time.monotonic()
            self._keys = self._fetch()
        if id_ not in self._keys:
            raise jwt.InvalidKeyError("unknown key")
        return self._keys[id_]

    def _fetch(self) -> dict[str, Any]:
        import jwt

        address = os.environ.get(JWKS) or str(
            _json(f"{self.name.rstrip('/')}/.well-known/openid-configuration")["jwks_uri"]
        )
        try:
            keys = jwt.PyJWKSet.from_dict(_json(address)).keys
        except jwt.PyJWTError as error:
            raise SettingsError(f"The keys at {address} cannot be used: {error}") from error
        return {str(key.key_id or ""): key.key for key in keys if key.public_key_use in (None, "sig")}


@cache
def _issuer_named(name: str) -> _Issuer:
    return _Issuer(name)


def _issuer() -> _Issuer:
    from importlib.util import find_spec

    if find_spec("jwt") is None or find_spec("cryptography") is None:
        raise DependencyMissing("jwt", "oidc")
    return _issuer_named(os.environ[ISSUER])


def _json(address: str) -> dict[str, Any]:
    """Fetch a JSON document of the issuer."""
    parts = unambiguous(address)
    if parts is None or (parts.scheme != "https" and parts.hostname not in _LOOPBACK):
        raise SettingsError(f"{address!r} is not an address of an issuer: it has to begin with https://.")
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
            found = read_json(answer.read(MOST_BYTES))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The issuer's {address} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise SettingsError(f"The issuer's {address} is not a JSON object.")
    return found
