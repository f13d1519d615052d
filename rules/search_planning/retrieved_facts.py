"""Facts in CogPlanner's retrieved elements: picture subjects, answers, covered terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from backtrail.language.picture_references import without_pointing
from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms, coverage
from backtrail.language.unknown_names import names_in
from backtrail.state.hop import intent
from backtrail.state.planned_search import Element, RoundView

# Captions and column headers that look like names.
_LABEL = re.compile(r"(?:table|figure|fig|item|entry|note|photo|image|picture|map)\b", re.IGNORECASE)
_SITE = re.compile(r" ?[-–—|] ?(?:wikipedia|youtube|facebook|pinterest)", re.IGNORECASE)
_PARTS = "-–—|·•"


def subject_name(elements: Sequence[Element], question: str) -> str:
    """Return the commonest name in titles or captions of the found pictures, first of equals; "" if none."""
    known = content_terms(question)
    votes: Counter[str] = Counter()
    written: dict[str, str] = {}
    for element in elements:
        if element.modality != "image":
            continue
        names = [clean_title(element.title), *(name for name, _ in names_in(element.text))]
        for name in dict.fromkeys(names):
            if content_terms(name) - known:
                votes[name.casefold()] += 1
                written.setdefault(name.casefold(), name)
    if not votes:
        return ""
    order = {name: place for place, name in enumerate(written)}
    return written[min(votes, key=lambda name: (-votes[name], order[name]))]


def leads(query: str, elements: Sequence[Element]) -> list[str]:
    """Return names in the found texts that a query lacks: those near most of its words first."""
    wanted = content_terms(query)
    best: dict[str, float] = {}
    for element in elements:
        titled = content_terms(element.title)
        shares: dict[str, float] = {}
        for name, sentence in names_in(element.text):
            if sentence not in shares:
                shares[sentence] = _share(wanted, (titled & wanted) | content_terms(sentence))
            if not content_terms(name) & wanted and not _LABEL.match(name):
                best[name] = max(best.get(name, 0.0), shares[sentence])
    return sorted(best, key=lambda name: -best[name])  # stable: of equals the first found


def found_for(query: str, elements: Sequence[Element]) -> list[str]:
    """Return possible results of a descriptive sub-query: matching titles, and names near its words.

    A title whose words are all in the query leads nowhere.
    """
    wanted = content_terms(query)
    own = [element for element in elements if intent(element.query) == intent(query)] or list(elements)
    ranked = sorted(own, key=lambda element: -covered(wanted, [element]))
    titles = [clean_title(element.title) for element in ranked[:2]]
    titles = [title for title in titles if content_terms(title) - wanted]
    names = leads(query, ranked[:2])
    return list(dict.fromkeys([*titles[:1], *names[:2], *titles[1:]]))


def needed(question: str) -> frozenset[str]:
    """Return the terms that found texts must contain, without the kind of answer ("on what *date*")."""
    shape = analyse(without_pointing(question))
    return shape.terms - shape.heads or shape.terms


def clean_title(title: str) -> str:
    """Remove the site's name from a page title."""
    written = " ".join(title.split())
    site = _SITE.search(written)
    end = site.start() if site else len(written)
    last = max(map(written.rfind, _PARTS))
    if last > 0 and written[last - 1] == " " == written[last + 1 : last + 2]:
        end = min(end, last)
    return written[:end].strip() or title


def covered(wanted: frozenset[str], elements: Sequence[Element]) -> float:
    """Share of terms that elements contain together, in [0, 1]; 1 without terms."""
    return share_said(wanted, frozenset[str]().union(*(said_by(element) for element in elements)))


def said_by(element: Element) -> frozenset[str]:
    """Return the terms of an element's title and text."""
    return content_terms(f"{element.title} {element.text}")


def share_said(wanted: frozenset[str], said: frozenset[str]) -> float:
    """Share of terms that are present, in [0, 1]; 1 without terms."""
    return _share(wanted, said) if wanted else 1.0


def _share(wanted: frozenset[str], said: frozenset[str]) -> float:
    return coverage(wanted, said, dict.fromkeys(wanted, 1.0))


def searched(rounds: Sequence[RoundView], kinds: Sequence[str]) -> set[str]:
    """Return the intents of queries searched in these ways, with or without results."""
    return {intent(search.query) for one in rounds for search in one.searches if search.kind in kinds}
