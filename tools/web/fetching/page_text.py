"""Extract the text of a fetched page, without menus, by trafilatura."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.tools.charsets import decode_charset
from backtrail.tools.web.bound_attributes import MOST_ATTRIBUTES, is_crowded
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.fetch import Fetched
from backtrail.tools.web.sanitize_text import one_line, readable

PAGE_KINDS = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")
LONGEST = 200_000
"""Characters stored in the cache, before the cut to tokens."""
_LONGEST_TITLE = 300
# Far more than normal pages have. Extraction takes up to 60 microseconds per element.
_MOST_TAGS = 150_000
# Errors of extraction observed on pages that are not HTML.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError, RecursionError, AssertionError)


@dataclass(frozen=True)
class PageText:
    """A page: its address after redirects, title, text, and date of publication if given."""

    url: str
    title: str
    text: str
    published: str = ""


def page_text(page: Fetched) -> PageText:
    """Extract the text of a page. CPU work: call it in a thread.

    Raises:
        Unfetched: it has no text (a page made by scripts, a list of pictures), or too many tags or attributes.
    """
    if page.kind not in ("text/html", "application/xhtml+xml"):
        return _made(page, "", _decoded(page), "")
    if page.body.count(b"<") > _MOST_TAGS:
        raise Refused(f"{page.url} is not read: it has more than {_MOST_TAGS} tags.")
    if is_crowded(page.body):
        raise Refused(f"{page.url} is not read: it has a tag with more than {MOST_ATTRIBUTES} attributes.")
    from lxml.etree import LxmlError  # pyright: ignore[reportAttributeAccessIssue]
    from trafilatura import bare_extraction  # a fifth of a second: only when a page was fetched

    try:
        document = bare_extraction(
            _decoded(page) if page.charset else page.body,
            url=page.url,
            include_comments=False,
            with_metadata=True,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except (*_STUMBLES, LxmlError) as error:
        raise Unfetched(f"{page.url} could not be read ({type(error).__name__}).") from error
    if document is None or isinstance(document, dict):
        raise Unfetched(f"{page.url} has no readable text.")
    return _made(page, document.title or "", document.text or "", document.date or "")


def _made(page: Fetched, title: str, text: str, published: str) -> PageText:
    text = readable(text, LONGEST)
    if not text:
        raise Unfetched(f"{page.url} has no readable text.")
    return PageText(page.url, one_line(title, _LONGEST_TITLE), text, one_line(published, 40))


def _decoded(page: Fetched) -> str:
    text = decode_charset(page.body, page.charset or "utf-8", "replace")
    return page.body.decode("utf-8", "replace") if text is None else text
