"""An OpenID Connect issuer on loopback: its discovery document, its public keys, and tokens that it really signs."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import jwt
import jwt.algorithms
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from loopback.http_server import HttpServer

AUDIENCE = "backtrail"


class Issuer(HttpServer):
    """Serves until its block ends. ``asked`` are the paths that were fetched."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.keys: dict[str, Any] = {}
        self.rotate("first")
        self.listen(_handler(self))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def rotate(self, id_: str, *, curve: bool = False) -> None:
        """A new key in place of all others."""
        self.keys = {
            id_: ec.generate_private_key(ec.SECP256R1())
            if curve
            else rsa.generate_private_key(public_exponent=65537, key_size=2048)
        }

    def token(self, subject: str = "ada", **claims: Any) -> str:
        """A token about somebody, good for a minute; claims replace or add, None leaves one out."""
        now = int(time.time())
        held = {"iss": self.url, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + 60, **claims}
        id_, key = next(iter(self.keys.items()))
        kind = "ES256" if isinstance(key, ec.EllipticCurvePrivateKey) else "RS256"
        kept = {name: value for name, value in held.items() if value is not None}
        return jwt.encode(kept, key, kind, headers={"kid": id_})

    def published(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        if path != "/keys":
            return None
        found = []
        for id_, key in self.keys.items():
            algorithm: Any = (
                jwt.algorithms.ECAlgorithm
                if isinstance(key, ec.EllipticCurvePrivateKey)
                else jwt.algorithms.RSAAlgorithm
            )
            found.append({**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": id_, "use": "sig"})
        return {"keys": found}


def _handler(issuer: Issuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked.append(self.path)
            found = issuer.published(self.path)
            body = json.dumps(found).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    return Handler
