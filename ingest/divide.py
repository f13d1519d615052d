"""Divide long documents by section into several, so that search and citations are precise.

The rule (ours): a document of more than 120,000 letters is divided at its outermost sections, or at those below a
single outermost one; parts that are still too long are divided again. A section of less than 1,500 letters is joined to
the previous one. The file's own document keeps the text before the first section and a list of its parts; lists link
to parts, and parts to their parent.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from backtrail.ingest.finish import finish
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Component, Document, Link

LONG = 120_000
"""Letters of about forty printed pages, above which a document is divided; half as long ones are found better whole."""

LEAST = 1_500
"""Minimum number of letters of a section that becomes a document. With half as many, eleven long
documents have 6 % more parts, with twice as many 12 % fewer."""

MOST = 500
"""Approximate maximum number of parts; parts of longer documents are larger."""

_JOINED = 20_000
"""Maximum letters of joined short sections; half as many give these 2 % more parts, twice as many 2 % fewer."""
_UP, _LABELS = ("parent", "child"), ("tag", "date")


def divide(parsed: ParsedDocument) -> list[ParsedDocument]:
    """Return the document itself, or a shorter one and the documents of its sections, in reading order.

    Ids of sections are the document's id with the words of their headings after slashes. Links to a place of the
    document lead to the section that contains it.
    """
    total = _letters(parsed.components)
    if total <= LONG:
        return [parsed]
    whole = _Part((), list(parsed.components))
    _split(whole, 0, max(LEAST, total // MOST))
    return _Division(parsed).documents(whole) if whole.parts else [parsed]


def section_id(parent: str, name: str, taken: Container[str]) -> str:
    """Return a section's id: the parent's, a slash and its heading's words, numbered if taken."""
    words = re.findall(r"\w+", name.casefold())
    slug = "-".join(words)[:60].strip("-") or "section"
    number, found = 1, f"{parent}/{slug}"
    while found in taken:
        number += 1
        found = f"{parent}/{slug}-{number}"
    return found


@dataclass
class _Part:
    """Components that become a document. ``trail`` are their headings; the last one is the name.

    ``last`` is the name of the last of several joined sections.
    """

    trail: tuple[str, ...]
    components: list[Component]
    parts: list[_Part] = field(default_factory=list)
    last: str = ""

    @property
    def name(self) -> str:
        """Name in lists: "1.1" or, for joined sections, "1.1 – 1.4"."""
        return f"{self.trail[-1]} – {self.last}" if self.last else self.trail[-1]


def _split(part: _Part, depth: int, least: int) -> None:
    """Split a part into its sections if there are at least two; it keeps components outside sections."""
    runs = [(name, list(run)) for name, run in groupby(part.components, lambda component: _step(component, depth))]
    named = {name for name, _ in runs} - {""}
    if not named:
        return
    if len(named) == 1:
        _split(part, depth + 1, least)
        return
    parts: list[_Part] = []
    joined, all_short = 0, False
    for name, run in runs:
        if not name:
            continue
        here = _letters(run)
        if parts and here < least and joined < max(_JOINED, least):
            parts[-1].components += run
            parts[-1].last = name if parts[-1].last or all_short else ""
            joined += here
        else:
            parts.append(_Part((*_steps(run[0])[:depth], name), run))
            joined, all_short = here, here < least
    if len(parts) < 2:
        return
    part.parts, part.components = parts, [one for name, run in runs if not name for one in run]
    for one in parts:
        if _letters(one.components) > LONG:
            _split(one, depth + 1, least)


def _steps(component: Component) -> tuple[str, ...]:
    return tuple(component.section.split(" > ")) if component.section else ()


def _step(component: Component, depth: int) -> str:
    steps = _steps(component)
    return steps[depth] if len(steps) > depth else ""


def _letters(components: Sequence[Component]) -> int:
    return sum(map(_length, components))


def _length(component: Component) -> int:
    if component.table is not None:
        return sum(len(cell) for row in (component.table.header, *component.table.rows) for cell in row)
    return len(component.text or "")


class _Division:
    """Converts parts to documents: ids first, since fragments and lists need all of them."""

    def __init__(self, parsed: ParsedDocument) -> None:
        self._parsed = parsed
        self._renamed: dict[str, str] = {}
        self._ids: dict[int, str] = {}
        self._home: dict[str, str] = {}
        of_file = [link for component in parsed.components[:1] for link in component.links]
        self._of_site = tuple(link for link in of_file if link.kind in _UP)
        self._labels = tuple(link for link in of_file if link.kind in _LABELS)

    def documents(self, whole: _Part) -> list[ParsedDocument]:
        """Return all documents, each before its parts."""
        held = {id(part): components for part, components in self._named(whole, self._parsed.document.id)}
        fragments: dict[str, dict[str, str]] = {id_: {} for id_ in self._ids.values()}
        for name, before in self._parsed.fragments.items():
            now = self._renamed[before]
            for id_ in {self._parsed.document.id, self._home[now]}:  # links name the file, not its parts
                fragments[id_][name] = now
        return list(self._finished(whole, held, fragments, ""))

    def _named(self, part: _Part, id_: str) -> Iterator[tuple[_Part, list[Component]]]:
        """Yield every part with its components under new ids."""
        self._ids[id(part)] = id_
        yield part, self._components(part, id_)
        taken: set[str] = set()
        for one in part.parts:
            below = section_id(id_, one.trail[-1], taken)
            taken.add(below)
            yield from self._named(one, below)

    def _components(self, part: _Part, id_: str) -> list[Component]:
        found: list[Component] = []
        counts: Counter[str] = Counter()
        names: set[str] = set()
        for component in part.components:
            name = component.locator.fragment or ""
            while not name or name in names:
                counts[component.modality] += 1
                name = f"{component.modality}-{counts[component.modality]}"
            names.add(name)
            self._renamed[component.id] = f"{id_}#{name}"
            self._home[f"{id_}#{name}"] = id_
            changed = {"id": f"{id_}#{name}", "document": id_, "position": len(found)}
            links = tuple(link for link in component.links if link.kind not in (*_UP, *_LABELS))
            found.append(component.model_copy(update={**changed, "section": _below(component, part), "links": links}))
        return found

    def _finished(
        self, part: _Part, held: dict[int, list[Component]], fragments: dict[str, dict[str, str]], parent: str
    ) -> Iterator[ParsedDocument]:
        id_, components = self._ids[id(part)], held[id(part)]
        if part.parts:
            components.append(self._contents(part, components))
        above = [Link(target=parent, anchor=" > ".join(part.trail[:-1]), kind="parent")] if parent else self._of_site
        below = [Link(target=self._ids[id(one)], anchor=one.name, kind="child") for one in part.parts]
        links = (*components[0].links, *above, *below, *self._labels)
        components[0] = components[0].model_copy(update={"links": links})
        document = self._document(part, fragments[id_])
        blobs = {one.image.blob for one in components if one.image is not None}
        parsed = finish(
            document, components, fragments=fragments[id_],
            blobs={name: blob for name, blob in self._parsed.blobs.items() if name in blobs},
            skipped=[] if parent else self._parsed.skipped,
        )  # fmt: skip
        yield parsed if parent else dataclasses.replace(parsed, left_out=self._parsed.left_out)
        for one in part.parts:
            yield from self._finished(one, held, fragments, id_)

    def _document(self, part: _Part, fragments: dict[str, str]) -> Document:
        """Return the file's document, or a section's, whose title starts with the file's."""
        whole = self._parsed.document
        if not part.trail:
            return whole
        place = next(iter(fragments), "")
        url = f"{whole.url}#{place}" if whole.url and place else ""
        names = " > ".join(name for name in (*part.trail[:-1], part.name) if name != whole.title)
        return Document(id=self._ids[id(part)], title=f"{whole.title}: {names}", source=whole.source, url=url)

    def _contents(self, part: _Part, components: Sequence[Component]) -> Component:
        """Return a component with the names of the sections, each a link to its document."""
        id_ = self._ids[id(part)]
        name = "contents"
        while f"{id_}#{name}" in {component.id for component in components}:
            name += "-of-sections"
        names = [one.name for one in part.parts]
        return Component(
            id=f"{id_}#{name}",
            document=id_,
            position=len(components),
            modality="text",
            section="Contents",
            text="\n".join(names),
            links=tuple(Link(target=self._ids[id(one)], anchor=one.name) for one in part.parts),
        )


def _below(component: Component, part: _Part) -> str:
    """Return a component's section path without the part that is in its document's title."""
    steps = _steps(component)
    common = next((n for n, (a, b) in enumerate(zip(steps, part.trail, strict=False)) if a != b),
                  min(len(steps), len(part.trail)))  # fmt: skip
    return " > ".join(steps[common:])
