"""An OpenID Connect issuer on loopback: its discovery document, its public keys, and tokens that it really signs."""

import json
from typing import Any

import jwt
import jwt.algorithms
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from loopback.http_server import Handler, HttpServer

AUDIENCE = "backtrail"
PAST, FUTURE = 1_000_000_000, 4_000_000_000
"""Times in seconds since 1970, far enough from now that no clock needs to be read."""


class Issuer(HttpServer):
    """Serves until its block ends. ``asked`` are the paths that were fetched."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.keys: dict[str, Any] = {}
        self.rotate("first")
        self.listen(_handler(self))

    def rotate(self, id_: str, *, curve: bool = False) -> None:
        """A new key in place of all others."""
        made: Any = ec.generate_private_key(ec.SECP256R1()) if curve else rsa.generate_private_key(65537, 2048)
        self.keys = {id_: made}

    def token(self, subject: str = "ada", **claims: Any) -> str:
        """A valid token about somebody; claims replace or add, None leaves one out."""
        held = {"iss": self.url, "aud": AUDIENCE, "sub": subject, "iat": PAST, "exp": FUTURE, **claims}
        id_, key = next(iter(self.keys.items()))
        kind = "ES256" if isinstance(key, ec.EllipticCurvePrivateKey) else "RS256"
        kept = {name: value for name, value in held.items() if value is not None}
        return jwt.encode(kept, key, kind, headers={"kid": id_})

    def published(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        if path != "/keys":
            return None
        return {"keys": [{**_public(key), "kid": id_, "use": "sig"} for id_, key in self.keys.items()]}


def _public(key: Any) -> dict[str, Any]:
    curve = isinstance(key, ec.EllipticCurvePrivateKey)
    algorithm: Any = jwt.algorithms.ECAlgorithm if curve else jwt.algorithms.RSAAlgorithm
    return algorithm.to_jwk(key.public_key(), as_dict=True)


def _handler(issuer: Issuer) -> type[Handler]:
    class Publishing(Handler):
        def do_GET(self) -> None:
            issuer.asked.append(self.path)
            found = issuer.published(self.path)
            self.respond(404 if found is None else 200, json.dumps(found).encode())

    return Publishing
