"""Gather pieces that no ranking selects: what follows or precedes one, documents by a pattern, places with a phrase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.phrase_places import phrase_places
from backtrail.nodes.reading.component_views import piece_texts
from backtrail.state.component import Component
from backtrail.state.computation import row_ranges
from backtrail.state.document_predicates import PREDICATES, is_predicate, split_entries
from backtrail.state.gathering import Gathering, GatherKind, GatherRequest, same_request
from backtrail.state.summary import SummaryPart
from backtrail.tools.corpus.components_in_batches import components_in_batches
from backtrail.tools.corpus.document_patterns import is_pattern, matches
from backtrail.tools.corpus.file_documents import components_after, components_before, with_sections
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.select_documents import SELECTION_ERRORS, select_documents

GATHERED_CHARACTERS = 8_000
"""Characters that one step reads (ours): two thirds of what is in sight."""
DOCUMENT_CHARACTERS = 200
"""Characters that each document of a list takes of that."""
NAMED = 12
"""Pieces that were not read, which the record names."""


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
    corpus: CorpusReader,
    request: GatherRequest,
    subtask: str,
    earlier: Sequence[Gathering],
    *,
    words: bool,
    pictures: int = 0,
) -> Gathering:
    """Read the next pieces that fit the budget of a step. Reads the corpus (blocking).

    A request that was made before goes on where it stopped. Without pieces the gathering has failed.

    Args:
        subtask: the text that selects the best component of each document.
        earlier: gatherings of this run.
        words: hybrid search, else dense.
        pictures: number of pictures that the next decision can be shown. A picture without words is a piece of its
            own then; otherwise it is unreadable.
    """
    found = _with_pictures(corpus, _FINDERS[request["kind"]](corpus, request), pictures)
    same = same_request(earlier, request)
    passed = sum(one["read"] + one["unreadable"] for one in same)
    taken = _within(found.pieces[passed:], GATHERED_CHARACTERS)
    left = found.pieces[passed + len(taken) :]
    if request["kind"] == "documents":
        taken = [_best_of(corpus, piece, subtask, words) for piece in taken]
    read = [piece for piece in taken if not piece.unread]
    unread = [f"{piece.component or piece.document}: {piece.unread}" for piece in taken if piece.unread]
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
        "notes": [*unread, *_left_out(corpus, left)][:NAMED],
        "pieces": row_ranges((piece.component, piece.number) for piece in read),
        "error": "" if read else found.nothing if not found.pieces else "; ".join(unread[:NAMED]) or all_read,
    }


def _with_pictures(corpus: CorpusReader, found: _Found, pictures: int) -> _Found:
    """Return what was found with its pictures without words as pieces, each as large as its share of a step."""
    if not pictures:
        return found
    wordless = [piece.component for piece in found.pieces if piece.unread and piece.component]
    held = {key for key, one in corpus.components(wordless).items() if one.image and one.image.blob}
    size = GATHERED_CHARACTERS // pictures
    pieces = [piece._replace(size=size, unread="") if piece.component in held else piece for piece in found.pieces]
    return found._replace(pieces=pieces)


def _within(pieces: Sequence[_Piece], characters: int) -> list[_Piece]:
    """Return the first pieces that fit, one at least."""
    for count, piece in enumerate(pieces):
        characters -= piece.size
        if characters < 0:
            return list(pieces[: max(count, 1)])
    return list(pieces)


def _left_out(corpus: CorpusReader, left: Sequence[_Piece]) -> list[str]:
    """Name the documents of pieces that are left out, each with the headings above them."""
    keys = list(dict.fromkeys(piece.component for piece in left if piece.component))[:NAMED]
    headings = {key: component.section for key, component in corpus.components(keys).items()}
    places = (", ".join(filter(None, (piece.document, headings.get(piece.component)))) for piece in left)
    return [f"{place}: left out" for place in dict.fromkeys(places)]


# --- what follows or precedes a piece ------------------------------------------------------------
def _rest(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find what follows a component in its document and the sections below it."""
    return _beside(corpus, request, components_after, lambda number, seen: number > seen, "after", "follows")


def _before(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find what precedes a component in its file, the nearest first."""
    return _beside(corpus, request, components_before, lambda number, seen: number < seen, "before", "precedes")


def _beside(
    corpus: CorpusReader,
    request: GatherRequest,
    others: Callable[[CorpusReader, Component], list[str]],
    beyond: Callable[[int, int], bool],
    where: str,
    verb: str,
) -> _Found:
    """Find the pieces of a component beyond the one that was seen, then those of the ``others``."""
    key, seen = request["target"], request["after"]
    start = corpus.components([key]).get(key)
    if start is None:
        return _Found([], "", f"There is no component {key!r}; name one in sight.")
    own = [] if seen is None else [one for one in _pieces(start) if one.number is None or beyond(one.number, seen)]
    step = -1 if where == "before" else 1
    pieces = own[::step]
    for components in components_in_batches(corpus, others(corpus, start)):
        pieces += [piece for one in components.values() for piece in _pieces(one)[::step]]
    place = key if seen is None else f"{key}, {seen}"
    return _Found(pieces, f"pieces {where} {place}", f"Nothing {verb} {place} in its document.")


def _pieces(component: Component) -> list[_Piece]:
    texts = piece_texts(component)
    if not texts:
        return [_Piece(component.document, component.id, None, 0, f"{component.modality} without words")]
    return [_Piece(component.document, component.id, number, len(text)) for number, text in enumerate(texts)]


# --- documents by a pattern ----------------------------------------------------------------------
def _documents(corpus: CorpusReader, request: GatherRequest) -> _Found:
    ids, nothing = _selected(corpus, request["target"])
    pieces = [_Piece(key, "", None, DOCUMENT_CHARACTERS) for key in ids]
    return _Found(pieces, f"documents “{request['target']}”", nothing)


def _selected(corpus: CorpusReader, target: str) -> tuple[list[str], str]:
    """Return the documents that predicates, a pattern or an id name, and what to say where there are none."""
    nothing = f"No document has an id or title {target!r}. Predicates are {PREDICATES}."
    entries = split_entries(target)
    if not any(map(is_predicate, entries)):
        return _named(corpus, target), nothing
    try:
        return select_documents(corpus, entries), nothing
    except SELECTION_ERRORS as error:
        return [], str(error)


def _named(corpus: CorpusReader, target: str) -> list[str]:
    """Return documents whose id or title fits a pattern, or a document with all below it; other text is a prefix."""
    named = [component.document for component in corpus.components([target]).values()] or [target]
    if corpus.documents(named):
        return _below(corpus, named[0])
    pattern = target if is_pattern(target) else f"{target}*"
    known = corpus.documents(corpus.document_ids())
    return [key for key, one in known.items() if matches(pattern, key) or matches(pattern, one.title)]


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


# --- parts of whole documents --------------------------------------------------------------------
def parts_of(corpus: CorpusReader, target: str) -> tuple[list[SummaryPart], str]:
    """Divide the documents that a target names into parts of consecutive pieces, in reading order.

    Reads the corpus (blocking). Components without words are left out.

    Args:
        target: a component or document, which stands for its document with all below it, a pattern, or predicates.

    Returns:
        The parts, and what to say where there are none.
    """
    selected, nothing = _selected(corpus, target)
    documents = list(dict.fromkeys(one for named in selected for one in with_sections(named, corpus)))
    titles = {key: one.title or key for key, one in corpus.documents(documents).items()}
    components = [child for members in corpus.children(documents).values() for child in members]
    parts: list[SummaryPart] = []
    batches = components_in_batches(corpus, components)
    read = (piece for batch in batches for one in batch.values() for piece in _pieces(one) if not piece.unread)
    for pieces in _divided(read):
        named = list(dict.fromkeys(titles[piece.document] for piece in pieces))
        parts.append(
            {
                "number": len(parts) + 1,
                "name": named[0] if len(named) == 1 else f"{named[0]} to {named[-1]}",
                "pieces": row_ranges((piece.component, piece.number) for piece in pieces),
            }
        )
    return parts, nothing


def _divided(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Yield consecutive pieces, as many as one step reads, one at least."""
    part: list[_Piece] = []
    size = 0
    for piece in pieces:
        if part and size + piece.size > GATHERED_CHARACTERS:
            yield part
            part, size = [], 0
        part.append(piece)
        size += piece.size
    if part:
        yield part


# --- places with a phrase ------------------------------------------------------------------------
def _phrase(corpus: CorpusReader, request: GatherRequest) -> _Found:
    """Find every heading, sentence, row, and caption or header that contains a phrase as whole words, in any case."""
    phrase = " ".join(request["target"].split())
    what, nothing = f"places with “{phrase}”", f"No heading, sentence, row or caption contains {phrase!r}."
    if not phrase:
        return _Found([], "places", nothing)
    found = [_Piece(one.document, one.component, one.number, len(one.text)) for one in phrase_places(corpus, phrase)]
    if not found:
        searched = len(corpus.document_ids())
        what += f" in {searched} document{'s' if searched != 1 else ''}"
    return _Found(found, what, nothing)


_FINDERS: dict[GatherKind, Callable[[CorpusReader, GatherRequest], _Found]] = {
    "rest": _rest,
    "before": _before,
    "documents": _documents,
    "phrase": _phrase,
}
