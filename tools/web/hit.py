"""One result of a provider, before anything was fetched."""

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
    """A page, or a picture with the page that shows it. ``pictures``: addresses of the file, best first.

    ``box``: the provider answered by itself, in ``snippet``; such a page is not fetched. ``searched``: the day.
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
    """What a provider answered. ``note`` is what it said beside the results, a sentence; ``day`` when, by ISO date."""

    hits: tuple[Hit, ...]
    note: str = ""
    day: str = ""


class NoHits(BaseModel):
    """An answer without results, as it is kept: with the day, which results carry themselves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    searched: str


class Provider(Protocol):
    """A search engine's service. Every call is one request; retries and waiting are the caller's.

    Raises:
        SearchUnavailable, SearchRejected: as ``Searches``.
    """

    name: str
    sees_pictures: bool
    """Whether it searches by a picture."""

    async def pages(self, query: str) -> Hits:
        """Pages for a query."""
        ...

    async def pictures(self, query: str) -> Hits:
        """Pictures for a query."""
        ...

    async def like(self, picture_url: str) -> Hits:
        """Pictures that resemble the one at a public address."""
        ...


def page_hit(result: Mapping[str, Any], position: int) -> Hit | None:
    """A result under the names that Google's results have in SerpApi and Serper; None if it cannot be used."""
    return _hit(result, position, ())


def answer_hits(answer: Mapping[str, Any], names: Iterable[str]) -> tuple[Hit, ...]:
    """What the engine answered by itself, beside its results; boxes without words or an address are none.

    Args:
        names: keys of the provider's answer, best first. A box has the answer in words, and the page it is from.
    """
    boxes = (answer.get(name) for name in names)
    return tuple(hit for box in boxes if isinstance(box, Mapping) and (hit := _box(box)))


def _box(box: Mapping[str, Any]) -> Hit | None:
    url = next((url for key in ("link", "descriptionLink", "website") if (url := _usable(box.get(key)))), None)
    if url is None and isinstance(source := box.get("source"), Mapping):
        url = _usable(source.get("link"))
    words = (_text(box.get(key)) for key in ("answer", "result", "snippet", "description"))
    said = ". ".join(dict.fromkeys(one.strip().rstrip(".") for one in (*words, *_facts(box)) if one.strip()))
    if url is None or not said:
        return None
    return Hit(
        title=one_line(_text(box.get("title")), LONGEST_TITLE),
        url=url,
        snippet=one_line(said, LONGEST_SNIPPET),
        published=one_line(_text(box.get("date")), 40),
        position=1,
        box=True,
    )


def _facts(box: Mapping[str, Any]) -> list[str]:
    """Serper lists the facts of its knowledge panel as ``attributes``."""
    facts = box.get("attributes")
    return [f"{name}: {value}" for name, value in facts.items()] if isinstance(facts, Mapping) else []


def picture_hit(result: Mapping[str, Any], position: int, addresses: Iterable[object]) -> Hit | None:
    """The same of a picture; None if none of the addresses can be fetched."""
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
    if isinstance(address, Mapping):  # SerpApi's Lens results carry {"link": …, "width": …}
        address = address.get("link")
    try:
        return str(web_address(address)) if isinstance(address, str) else None
    except Refused:
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
