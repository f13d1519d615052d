"""Places that say a phrase: headings, sentences, rows, and captions or headers of tables (ours)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from backtrail.language.whole_words import whole_words
from backtrail.nodes.reading.component_views import piece_texts
from backtrail.state.component import Component
from backtrail.tools.corpus.components_in_batches import components_in_batches
from backtrail.tools.corpus.headings import HeadingPath, heading_paths
from backtrail.tools.corpus.protocol import CorpusReader


class Place(NamedTuple):
    """A sentence or row by ``number``; None for a caption or header, and for the heading above the component."""

    document: str
    component: str
    number: int | None
    text: str


def phrase_places(corpus: CorpusReader, phrase: str) -> Iterator[Place]:
    """Yield every place with a phrase as whole words, in any case, in reading order. Reads the corpus (blocking).

    Each place is counted once, however often it says the phrase; a heading is placed at the first component below it.
    """
    whole, seen = whole_words(phrase), set[HeadingPath]()
    for components in components_in_batches(corpus, corpus.phrase_candidates(phrase)):
        headings = heading_paths(corpus, components.values())
        for id_, component in components.items():
            if id_ in headings:
                yield from _headings(component, headings[id_], whole, seen)
            yield from _contents(component, whole)


def _headings(
    component: Component, path: HeadingPath, phrase: re.Pattern[str], seen: set[HeadingPath]
) -> Iterator[Place]:
    for depth, name in enumerate(path.names, 1):
        heading = HeadingPath(path.file, path.names[:depth])
        if heading not in seen and phrase.search(name):
            seen.add(heading)
            yield Place(component.document, component.id, None, name)


def _contents(component: Component, phrase: re.Pattern[str]) -> Iterator[Place]:
    table = component.table
    if table is None:
        numbers: Collection[int] = _sentences_with(piece_texts(component), phrase)
    else:
        head = [table.caption, *table.header]
        if any(phrase.search(text) for text in head):
            yield Place(component.document, component.id, None, " | ".join(filter(None, head)))
        numbers = [number for number, row in enumerate(table.rows) if any(phrase.search(cell) for cell in row)]
    texts = piece_texts(component) if numbers else []
    for number in numbers:
        yield Place(component.document, component.id, number, texts[number])


def _sentences_with(sentences: Sequence[str], phrase: re.Pattern[str]) -> list[int]:
    """Return the sentences in which the phrase begins: it may go on in the next one ("Fig. 2")."""
    starts: list[int] = []
    position = 0
    for sentence in sentences:
        starts.append(position)
        position += len(sentence) + 1
    begun = [match.start() for match in phrase.finditer(" ".join(sentences))]
    return [
        number
        for number, start in enumerate(starts)
        if any(start <= place < start + len(sentences[number]) for place in begun)
    ]
