"""Select documents by ids, patterns and predicates: the only place that evaluates ``state.document_predicates``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from backtrail.language.whole_words import whole_words
from backtrail.state.component import LinkKind
from backtrail.state.document_predicates import (
    ID,
    Predicate,
    PredicateInvalid,
    check_field,
    in_dates,
    read_predicate,
)
from backtrail.tools.corpus.components_in_batches import components_in_batches
from backtrail.tools.corpus.document_patterns import is_pattern, matches
from backtrail.tools.corpus.errors import DocumentNotFound, NoDocumentFits
from backtrail.tools.corpus.file_documents import with_sections
from backtrail.tools.corpus.headings import heading_paths
from backtrail.tools.corpus.protocol import CorpusReader

SELECTION_ERRORS = (PredicateInvalid, DocumentNotFound, NoDocumentFits)
"""Errors of ``select_documents``."""


def select_documents(corpus: CorpusReader, entries: Sequence[str]) -> list[str]:
    """Return the ids of the documents that entries name, in reading order. Reads all documents for most predicates.

    Raises:
        PredicateInvalid: an entry has an unknown field or no value.
        DocumentNotFound: nothing has the id, or fits the pattern or predicate.
        NoDocumentFits: each fits some document, but none fits all.
    """
    fits: dict[str, set[str]] = {}
    for predicate in map(read_predicate, entries):
        fits.setdefault(predicate.field, set()).update(_fitting(corpus, predicate))
    if not fits:
        return corpus.document_ids()
    common = set.intersection(*fits.values())
    if not common:
        raise NoDocumentFits(corpus.name, entries)
    return [id_ for id_ in corpus.document_ids() if id_ in common]


def _fitting(corpus: CorpusReader, predicate: Predicate) -> Collection[str]:
    found, existing = _SELECT[predicate.field](corpus, predicate.value)
    if not found:
        check_field(predicate)
        raise DocumentNotFound(corpus.name, predicate.text, existing)
    return found


Selected = tuple[Collection[str], Iterable[str]]
"""Ids that fit, and entries that would fit something, for an error."""


def _by_id(corpus: CorpusReader, value: str) -> Selected:
    if value in corpus.documents([value]):
        named = [value]
    elif is_pattern(value):
        named = [id_ for id_ in corpus.document_ids() if matches(value, id_)]
    else:
        return [], [one["id"] for one in corpus.search_lexical(value, "document", 20)]
    return [id_ for document in named for id_ in with_sections(document, corpus)], []


def _under(corpus: CorpusReader, value: str) -> Selected:
    folder = f"{value.strip('/')}/".casefold()
    ids = corpus.document_ids()
    return [id_ for id_ in ids if id_.casefold().startswith(folder)], {
        f"under:{id_.rpartition('/')[0]}/": None for id_ in ids if "/" in id_
    }


def _with_tag(corpus: CorpusReader, value: str) -> Selected:
    return _those(_labelled(corpus, "tag"), "tag", partial(matches, value))


def _with_date(corpus: CorpusReader, value: str) -> Selected:
    """Select documents by the dates of their authors, and by the periods that title, file name or first page name."""
    periods = (
        (id_, one) for file in corpus.dated_files.files for one in file.identity.periods for id_ in file.documents
    )
    return _those(chain(_labelled(corpus, "date"), periods), "date", partial(in_dates, value))


def _with_version(corpus: CorpusReader, value: str) -> Selected:
    versions = (
        (id_, one) for file in corpus.dated_files.files for one in file.identity.versions for id_ in file.documents
    )
    return _those(versions, "version", partial(matches, value.removeprefix("v")))


def _labelled(corpus: CorpusReader, kind: LinkKind) -> Iterator[tuple[str, str]]:
    labels = corpus.labels(corpus.document_ids())
    return ((id_, link.target) for id_, links in labels.items() for link in links if link.kind == kind)


def _those(values: Iterable[tuple[str, str]], field: str, fits: Callable[[str], bool]) -> Selected:
    values = list(values)
    return [id_ for id_, value in values if fits(value)], {f"{field}:{value}": None for _, value in values}


def _with_section(corpus: CorpusReader, value: str) -> Selected:
    """Select documents with a title or heading that says the words."""
    words, found = whole_words(value), dict[str, None]()
    for components in components_in_batches(corpus, corpus.phrase_candidates(value)):
        for id_, path in heading_paths(corpus, components.values()).items():
            if any(map(words.search, path.names)):
                found[components[id_].document] = None
    return found, []


_SELECT: dict[str, Callable[[CorpusReader, str], Selected]] = {
    ID: _by_id,
    "under": _under,
    "tag": _with_tag,
    "section": _with_section,
    "date": _with_date,
    "version": _with_version,
}
