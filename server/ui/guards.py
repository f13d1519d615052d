"""Security of the page: headers of all responses, and tokens against forged forms.

Scripts and styles come only from files of this package, so that text of documents, models and people never runs. A
form has a token that is also in a cookie, which no other site can read or set; browsers also send its origin.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

GUARDS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

COOKIE, FIELD = "backtrail-form", "token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class FormRefused(Exception):
    """The form was not sent from the page."""


def token_of(request: Request) -> str:
    """Return the token of this browser's forms; a new one for a new browser."""
    token = request.cookies.get(COOKIE, "")
    if not _TOKEN.fullmatch(token):
        token = getattr(request.state, "token", None) or secrets.token_urlsafe(32)
    request.state.token = token
    return token


def guard(request: Request, response: Response) -> Response:
    """Add the security headers, and the cookie of a new token, to a response."""
    for name, value in GUARDS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    token = getattr(request.state, "token", "")
    if token and request.cookies.get(COOKIE) != token:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure, path="/ui")
    return response


def check_origin(request: Request) -> None:
    """Refuse requests from other sites. Requests without origin are left to the token.

    Raises:
        FormRefused: sent from another site.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise FormRefused("This form was sent from another site.")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise FormRefused("This form was sent from another site.")


def check_token(request: Request, sent: str) -> None:
    """Refuse a form without the token of this browser.

    Raises:
        FormRefused: the token is missing or wrong.
    """
    token = request.cookies.get(COOKIE, "")
    if not _TOKEN.fullmatch(token) or not hmac.compare_digest(token.encode(), sent.encode()):
        raise FormRefused("This form is out of date. Open the page again and send it once more.")
