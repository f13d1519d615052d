"""Gather pieces that no ranking selects: the rest of a document, documents by a pattern, or places with a phrase."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from backtrail.language.sentences import split_sentences
from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.reading.component_views import MOST_CHARACTERS, component_text
from backtrail.state.component import Component
from backtrail.state.computation import row_ranges
from backtrail.state.gathering import Gathering, GatherKind, GatherRequest, same_request
from backtrail.tools.corpus.document_patterns import is_pattern, matches
from backtrail.tools.corpus.filtered_corpus import with_sections
from backtrail.tools.corpus.protocol import CorpusReader

GATHERED_CHARACTERS = 8_000
"""Characters that one step reads (ours): two thirds of what is in sight."""
DOCUMENT_CHARACTERS = 200
"""Characters that each document of a list takes of that."""
NAMED = 12
"""Pieces that were not read, which the record names."""
_BATCH = 500


class _Piece(NamedTuple):
    """A row, sentence, caption or whole document, with its size in characters. ``unread``: why it has no text."""

    document: str
    component: str
    number: int | None
    size: int
    unread: str = ""


class _Found(NamedTuple):
    """All pieces in reading order, and what they are, in words."""

    pieces: list[_Piece]
    what: str
    nothing: str


def gather(
    corpus: CorpusReader, request: GatherRequest, subtask: str, earlier: Sequence[Gathering], *, words: bool
) -> Gathering:
    """Read the next pieces that fit the budget of a step. Reads the corpus (blocking).

    A request that was made before goes on where it stopped. Without pieces the gathering has failed.

    Args:
        subtask: the text that selects the best component of each document.
        earlier: gatherings of this run.
        words: hybrid search, else dense.
    """
    found = _FINDERS[request["kind"]](corpus, request)
    same = same_request(earlier, request)
    passed = sum(one["read"] + one["unreadable"] for one in same)
    taken = _within(found.pieces[passed:], GATHERED_CHARACTERS)
    left = found.pieces[passed + len(taken) :]
    if request["kind"] == "documents":
        taken = [_best_of(corpus, piece, subtask, words) for piece in taken]
    read = [piece for piece in taken if not piece.unread]
    unread = [f"{piece.component or piece.document}: {piece.unread}" for piece in taken if piece.unread]
    unseen = [f"{document}: left out" for document in dict.fromkeys(piece.document for piece in left)]
    all_read = f"All {len(found.pieces)} {found.what} were read before."
    return {
        "request": request,
        "what": found.what,
        "total": len(found.pieces),
        "documents": len({piece.document for piece in found.pieces}),
        "before": sum(one["read"] for one in same),
        "read": len(read),
        "unreadable": len(unread),
        "left_out": len(left),
        "notes": [*unread, *unseen][:NAMED],
        "pieces": row_ranges((piece.component, piece.number) for piece in read),
        "error": "" if read else found.nothing if not found.pieces else "; ".join(unread[:NAMED]) or all_read,
    }


def _within(pieces: Sequence[_Piece], characters: int) -> list[_Piece]:
    """Return the first pieces that fit, one at least."""
    for count, piece in enumerate(pieces):
        characters -= piece.size
        if characters < 0:
            return list(pieces[: max(count, 1)])
    return list(pieces)


# --- the rest of a document ----------------------------------------------------------------------
def _rest(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find what follows a component in its document and the sections below it."""
    key, after = request["target"], request["after"]
    start = corpus.components([key]).get(key)
    if start is None:
        return _Found([], "", f"There is no component {key!r}; name one in sight.")
    children = corpus.children(with_sections(start.document, corpus))
    in_order = [child for members in children.values() for child in members]
    following = in_order[in_order.index(key) + 1 :]
    pieces = [] if after is None else [one for one in _pieces(start) if one.number is None or one.number > after]
    pieces += [piece for component in _read(corpus, following) for piece in _pieces(component)]
    place = key if after is None else f"{key}, {after}"
    return _Found(pieces, f"rows and sentences after {place}", f"Nothing follows {place} in its document.")


def _pieces(component: Component) -> list[_Piece]:
    texts = piece_texts(component)
    if not texts:
        return [_Piece(component.document, component.id, None, 0, f"{component.modality} without words")]
    return [_Piece(component.document, component.id, number, len(text)) for number, text in enumerate(texts)]


def piece_texts(component: Component) -> list[str]:
    """Return the rows or sentences of a component in full, numbered as readers cite them."""
    if component.table is not None:
        return [" | ".join(row) for row in component.table.rows]
    return split_sentences(component_text(component, MOST_CHARACTERS))


# --- documents by a pattern ----------------------------------------------------------------------
def _documents(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find documents whose id or title fits a pattern, or a document with all below it; other text is a prefix."""
    target = request["target"]
    named = [component.document for component in corpus.components([target]).values()] or [target]
    if corpus.documents(named):
        ids = _below(corpus, named[0])
    else:
        pattern = target if is_pattern(target) else f"{target}*"
        known = corpus.documents(corpus.document_ids())
        ids = [key for key, one in known.items() if matches(pattern, key) or matches(pattern, one.title)]
    pieces = [_Piece(key, "", None, DOCUMENT_CHARACTERS) for key in ids]
    return _Found(pieces, f"documents “{target}”", f"No document has an id or title {target!r}.")


def _below(corpus: CorpusReader, document: str) -> list[str]:
    """Return a document and those below it in its site or folder, each once."""
    found = {document: None}
    waiting = [document]
    while waiting:
        links = corpus.hierarchy(waiting)
        targets = [link.target for above in waiting for link in links.get(above, []) if link.kind == "child"]
        waiting = [target for target in dict.fromkeys(targets) if target not in found]
        found |= dict.fromkeys(waiting)
    return list(found)


def _best_of(corpus: CorpusReader, piece: _Piece, subtask: str, words: bool) -> _Piece:
    """Return the component of a document that fits the subtask best: each document has one, however alike they are."""
    best = search_components(corpus, subtask, "component", 1, [piece.document], words=words)
    return piece._replace(component=best[0]["id"]) if best else piece._replace(unread="no text")


# --- places with a phrase ------------------------------------------------------------------------
def _phrase(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find every sentence, row, and caption or header that contains a phrase as whole words, ignoring case."""
    phrase = " ".join(request["target"].split())
    nothing = f"No sentence, row or caption contains {phrase!r}."
    if not phrase:
        return _Found([], "places", nothing)
    whole = whole_words(phrase)
    found = (place for one in _read(corpus, corpus.phrase_candidates(phrase)) for place in _places(one, whole))
    return _Found(list(found), f"places with “{phrase}”", nothing)


def whole_words(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase as whole words, with any white space between them; edges may be marks ("C++")."""
    words = phrase.split()
    before = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    after = r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    return re.compile(before + r"\s+".join(map(re.escape, words)) + after, re.IGNORECASE)


def _places(component: Component, phrase: re.Pattern[str]) -> Iterator[_Piece]:
    """Yield each place once, however often it says the phrase."""
    table = component.table
    if table is None:
        numbers: Collection[int] = _sentences_with(piece_texts(component), phrase)
    else:
        head = [table.caption, *table.header]
        if any(phrase.search(text) for text in head):
            yield _Piece(component.document, component.id, None, sum(map(len, head)))
        numbers = [number for number, row in enumerate(table.rows) if any(phrase.search(cell) for cell in row)]
    texts = piece_texts(component) if numbers else []
    for number in numbers:
        yield _Piece(component.document, component.id, number, len(texts[number]))


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


def _read(corpus: CorpusReader, ids: Sequence[str]) -> Iterator[Component]:
    """Yield components in order, some at a time: a corpus may not fit memory."""
    for start in range(0, len(ids), _BATCH):
        yield from corpus.components(ids[start : start + _BATCH]).values()


_FINDERS: dict[GatherKind, Callable[[CorpusReader, GatherRequest], _Found]] = {
    "rest": _rest,
    "documents": _documents,
    "phrase": _phrase,
}
