"""Results of a search provider, before their pages are fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from backtrail.tools.web.errors import Refused
from backtrail.tools.web.fetching.addresses import web_address
from backtrail.tools.web.sanitize_text import one_line

LONGEST_TITLE = 300
LONGEST_SNIPPET = 1_000


class Hit(BaseModel):
    """A page, or a picture with its page. ``pictures``: addresses of the file, best first.

    ``box``: ``snippet`` is the provider's own answer; the page is not fetched. ``searched``: date of the search.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    url: str
    snippet: str = ""
    published: str = ""
    position: int
    pictures: tuple[str, ...] = ()
    box: bool = False
    searched: str = ""


@dataclass(frozen=True)
class Hits:
    """Answer of a provider. ``note``: its message besides the results; ``day``: ISO date of the answer."""

    hits: tuple[Hit, ...]
    note: str = ""
    day: str = ""


class NoHits(BaseModel):
    """An answer without results, as cached: it has the date that results otherwise have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    searched: str


class Provider(Protocol):
    """A search provider. Every call is one request; callers retry and wait.

    Raises:
        SearchUnavailable, SearchRejected: as ``Searches``.
    """

    name: str
    sees_pictures: bool
    """Whether it can search by a picture."""

    async def pages(self, query: str) -> Hits:
        """Search pages for a query."""
        ...

    async def pictures(self, query: str) -> Hits:
        """Search pictures for a query."""
        ...

    async def like(self, picture_url: str) -> Hits:
        """Search pictures similar to the one at a public address."""
        ...


def page_hit(result: Mapping[str, Any], position: int) -> Hit | None:
    """Parse a result of Google by SerpApi's and Serper's field names; None if it cannot be used."""
    return _hit(result, position, ())


def answer_hits(answer: Mapping[str, Any], names: Iterable[str]) -> tuple[Hit, ...]:
    """Parse the engine's own answers (boxes); those without text or address are left out.

    Args:
        names: keys of boxes in the provider's answer, best first. A box has an answer text and its page.
    """
    boxes = (answer.get(name) for name in names)
    return tuple(hit for box in boxes if isinstance(box, Mapping) and (hit := _box(box)))


def _box(box: Mapping[str, Any]) -> Hit | None:
    url = next((url for key in ("link", "descriptionLink", "website") if (url := _usable(box.get(key)))), None)
    if url is None and isinstance(source := box.get("source"), Mapping):
        url = _usable(source.get("link"))
    words = (_text(box.get(key)) for key in ("answer", "result", "snippet", "description"))
    text = ". ".join(dict.fromkeys(one.strip().rstrip(".") for one in (*words, *_facts(box)) if one.strip()))
    if url is None or not text:
        return None
    return Hit(
        title=one_line(_text(box.get("title")), LONGEST_TITLE),
        url=url,
        snippet=one_line(text, LONGEST_SNIPPET),
        published=one_line(_text(box.get("date")), 40),
        position=1,
        box=True,
    )


def _facts(box: Mapping[str, Any]) -> list[str]:
    """Return the facts of Serper's knowledge panel (``attributes``)."""
    facts = box.get("attributes")
    return [f"{name}: {value}" for name, value in facts.items()] if isinstance(facts, Mapping) else []


def picture_hit(result: Mapping[str, Any], position: int, addresses: Iterable[object]) -> Hit | None:
    """Parse a picture's result; None if none of the addresses can be fetched."""
    usable = tuple(dict.fromkeys(url for address in addresses if (url := _usable(address))))
    return _hit(result, position, usable) if usable else None


def _hit(result: Mapping[str, Any], position: int, pictures: tuple[str, ...]) -> Hit | None:
    url = _usable(result.get("link"))
    if url is None:
        return None
    place = result.get("position")
    return Hit(
        title=one_line(_text(result.get("title")), LONGEST_TITLE),
        url=url,
        snippet=one_line(_text(result.get("snippet") or result.get("source")), LONGEST_SNIPPET),
        published=one_line(_text(result.get("date")), 40),
        position=place if isinstance(place, int) and place > 0 else position,
        pictures=pictures,
    )


def _usable(address: object) -> str | None:
    if isinstance(address, Mapping):  # SerpApi's Lens results have {"link": …, "width": …}
        address = address.get("link")
    try:
        return str(web_address(address)) if isinstance(address, str) else None
    except Refused:
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
