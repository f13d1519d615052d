"""Sign-in to the page of a server with keys: the browser keeps the key in a cookie.

No script or other site can read or send the cookie. The key is checked on every request, so that a revoked one stops
working at once. A token of the host's issuer is accepted as well while it is valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from langgraph_sdk import Auth
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.server.auth import user_of
from backtrail.server.basic_auth import COOKIE
from backtrail.server.ui.forms import form_of, text
from backtrail.server.ui.pages import SIGN_IN, Handler, page

LONGEST_KEY = 3_800
"""Maximum number of characters: browsers keep cookies of 4 KB, and tokens with many claims are long."""


async def sign_in_page(request: Request) -> Response:
    """Ask for the key."""
    return await page(request, "sign_in.html", problem="", next=_next(request.query_params.get("next", "")))


async def sign_in(request: Request) -> Response:
    """Store a valid key in the browser's cookie."""
    async with form_of(request) as form:
        key, onward = text(form, "key"), _next(text(form, "next"))
    if not await _is_known(key):
        return await page(request, "sign_in.html", 403, problem="Unknown key.", next=onward)
    answer = RedirectResponse(onward, 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, key, httponly=True, samesite="strict", secure=secure, path="/")
    return answer


async def sign_out(request: Request) -> Response:
    """Delete the cookie."""
    async with form_of(request):
        answer = RedirectResponse(SIGN_IN, 303)
        answer.delete_cookie(COOKIE, path="/")
        return answer


async def _is_known(key: str) -> bool:
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii():
        return False
    try:
        user = await user_of({b"authorization": b"Bearer " + key.encode()})
    except Auth.exceptions.HTTPException:
        return False
    return bool(user["identity"])


def _next(wanted: str) -> str:
    """Return the page to open after sign-in, which must be below /ui."""
    inside = wanted == "/ui" or wanted.startswith("/ui/")
    return quote(wanted, safe="/?=&%-_.~") if inside and "\\" not in wanted and ".." not in wanted else "/ui"


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", SIGN_IN): sign_in_page,
    ("POST", SIGN_IN): sign_in,
    ("POST", "/ui/sign-out"): sign_out,
}
