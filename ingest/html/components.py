"""Convert drafts to components: ids, pictures, text around figures, fragments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.images import UnusablePicture, UsablePicture, usable_picture
from backtrail.ingest.local_pictures import remote_host, shorten
from backtrail.ingest.parsed import SkippedPart
from backtrail.ingest.pictures.description import PictureDescription, one_of
from backtrail.ingest.pictures.sidecar_files import descriptions_of
from backtrail.state.component import Component, Link, Picture

NEARBY_CHARACTERS = 300
_NUMBERS = re.compile(r" ?\([^()]*\)|[\d.,]+ ?")
_PLACEHOLDER = ("the page contains only a placeholder", "Scroll through the page before saving it")
MIN_PIXELS = 16
"""Minimum side of a picture without words; smaller ones are spacers or icons."""

ICON_PIXELS = 100
"""A picture shown ``ICON_TIMES`` on a page that is smaller than this, or missing, is a button (ours).

Off: 25 of 51 pages of wild/web show buttons, one of 528 pages of three other sites shows four pictures more."""

ICON_TIMES = 3
_WORD = re.compile(r"\w")


class PageAssembler:
    """Builder of one document's components.

    Args:
        document_id: the document's id.
        find: returns the file or bytes of a picture by its source; raises UnusablePicture.
    """

    def __init__(self, document_id: str, find: Callable[[str], Path | bytes]) -> None:
        self.components: list[Component] = []
        self.fragments: dict[str, str] = {}
        self.blobs: dict[str, Path | bytes] = {}
        self.skipped: list[SkippedPart] = []
        self._document_id = document_id
        self._find = find
        self._ids: set[str] = set()
        self._times: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._shown: Counter[str] = Counter()
        self._usable: dict[str, UsablePicture] = {}

    def assemble(self, drafts: Sequence[Draft]) -> None:
        """Add drafts in order; names and links of a dropped picture go to the next component."""
        names: list[str] = []
        links: list[Link] = []
        self._shown.update(draft.picture.source for draft in drafts if draft.picture and not draft.picture.caption)
        for draft in drafts:
            picture = self._picture(draft.picture) if draft.picture else None
            names.extend(draft.ids)
            links.extend(draft.links)
            if draft.picture and picture is None:
                continue
            component = self._component(draft, picture, links)
            self.components.append(component)
            for name in names:
                self.fragments.setdefault(name, component.id)
            names, links = [], []
        if self.components:
            for name in names:
                self.fragments.setdefault(name, self.components[-1].id)
        self._describe_surroundings()

    def _component(self, draft: Draft, picture: Picture | None, links: list[Link]) -> Component:
        modality = draft.modality
        self._counts[modality] += 1
        return Component(
            id=self._new_id(draft.element_id or f"{modality}-{self._counts[modality]}"),
            document=self._document_id,
            position=len(self.components),
            modality=modality,
            section=draft.section,
            text=draft.text if modality == "text" else None,
            table=draft.table,
            image=picture,
            links=tuple(dict.fromkeys(links)),
            locator=draft.locator.model_copy(update={"fragment": draft.element_id or None}),
        )

    def _new_id(self, name: str) -> str:
        """Return the id of a name, numbered if the page uses the name twice."""
        candidate, number = name, max(self._times[name], 1)
        while candidate in self._ids:
            number += 1
            candidate = f"{name}-{number}"
        self._times[name] = number
        self._ids.add(candidate)
        return f"{self._document_id}#{candidate}"

    def _picture(self, draft: PictureDraft) -> Picture | None:
        """Return the picture with its file, if available; None if there is nothing to keep."""
        described = any(_WORD.search(said) for said in (draft.alt, draft.caption, draft.title))
        found: UsablePicture | None = None
        try:
            found = self._first_usable(draft)
            if found.side < MIN_PIXELS and not described:
                problem = f"only {found.side} pixels wide or high and without any description"
                self._skip(draft.source, problem, "too small to show anything")
                return None
            if self._is_icon(draft, found.side):
                return None
            self.blobs.setdefault(found.facts.sha256, found.content)
        except UnusablePicture as error:
            if self._is_icon(draft, 0):
                return None
            self._skip(draft.source, f"{error.problem}. {error.advice}", _NUMBERS.sub("", error.problem))
        if found is None:
            return Picture(title=draft.title, caption=draft.caption, alt=draft.alt) if described else None
        said = PictureDescription(draft.title, draft.caption, draft.alt) if described else _described_elsewhere(found)
        blob, written = found.facts.sha256, found.recognized
        return Picture(blob=blob, title=said.title, caption=said.caption, alt=said.alt, recognized=written)

    def _is_icon(self, draft: PictureDraft, side: int) -> bool:
        """Return whether the page repeats a small or missing picture, such as the arrow to its top."""
        if draft.caption or side >= ICON_PIXELS or self._shown[draft.source] < ICON_TIMES:
            return False
        self._skip(draft.source, f"an icon that the page shows {self._shown[draft.source]} times", "repeated icons")
        return True

    def _first_usable(self, draft: PictureDraft) -> UsablePicture:
        """Return the first usable source, and a placeholder only if there is no other.

        Raises:
            UnusablePicture: no source is usable; the error is that of the first.
        """
        refused: UnusablePicture | None = None
        small: UsablePicture | None = None
        for source in (draft.source, *draft.others):
            try:
                found = self._check(source)
            except UnusablePicture as error:
                refused = refused or error
                continue
            if found.side >= MIN_PIXELS:
                return found
            if source.startswith("data:"):
                refused = refused or UnusablePicture(shorten(source), *_PLACEHOLDER)
                continue
            small = small or found
        if refused is not None and (small is None or draft.others):
            raise refused
        assert small is not None  # there is at least one source
        return small

    def _check(self, source: str) -> UsablePicture:
        """Return a picture by its source; each is decoded once."""
        if source not in self._usable:
            self._usable[source] = usable_picture(self._find(source))
        return self._usable[source]

    def _skip(self, source: str, reason: str, cause: str) -> None:
        name = f"{self._document_id}: {shorten(source) or '<img>'}"
        self.skipped.append(SkippedPart(name, reason, cause, remote_host(source)))

    def _describe_surroundings(self) -> None:
        """Give each picture the text of its neighbours: the paragraph before it, then the one after."""
        for index, component in enumerate(self.components):
            if component.image is None:
                continue
            before = _nearest_text(self.components[max(index - 4, 0) : index][::-1], component.section)
            after = _nearest_text(self.components[index + 1 : index + 5], component.section)
            nearby = shortened(" ".join(text for text in (before, after) if text), NEARBY_CHARACTERS)
            image = component.image.model_copy(update={"nearby": nearby})
            self.components[index] = component.model_copy(update={"image": image})


def _described_elsewhere(found: UsablePicture) -> PictureDescription:
    """Return the description in a picture's file, or in a file beside it."""
    beside = descriptions_of(found.content) if isinstance(found.content, Path) else PictureDescription()
    return one_of((beside, found.facts.description))


def _nearest_text(neighbours: list[Component], section: str) -> str:
    for neighbour in neighbours:
        if neighbour.section != section:
            return ""
        if neighbour.text:
            return " ".join(neighbour.text[: 2 * NEARBY_CHARACTERS].split())
    return ""


def shortened(text: str, limit: int) -> str:
    """Shorten text to at most ``limit`` characters, between words if possible."""
    if len(text) <= limit:
        return text
    cut = text[:limit].rpartition(" ")[0] or text[:limit]
    return cut.rstrip()
