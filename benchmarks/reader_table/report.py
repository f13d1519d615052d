"""A table of right, wrong, abstained and spending of each method, with differences from FiF by question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

from backtrail.evals.scorers.correctness import is_right
from backtrail.evals.scorers.retrieval import recall_at
from reader_table.asking import Asked

SETS = {
    "ottqa": "OTT-QA",
    "wild": "real files",
    "pictures": "pictures",
    "lookup": "real files: look up",
    "beyond_lookup": "real files: count, list, sum up",
}
COMPARED = "fif"
READ = json.loads(Path(__file__).with_name("read_by_hand.json").read_text())
"""Human verdicts by question and answer (short form or full), where wordings do not decide."""


def verdict(one: Asked) -> str:
    """Return right, wrong (an incomplete list too) or abstained; ``error`` if the run itself failed."""
    if one.outcome.error is not None:
        return "error"
    if one.outcome.abstained:
        return "abstained"
    return by_hand(one) or ("right" if is_right(one.question, one.outcome) else "wrong")


def by_hand(one: Asked) -> str | None:
    """Return the human verdict on this exact answer, if there is one."""
    verdicts = READ.get(one.question.id, {})
    answers = (" ".join(text.split()) for text in (one.outcome.short, one.outcome.answer) if text)
    return next((verdicts[answer] for answer in answers if answer in verdicts), None)


def table(found: Sequence[Asked]) -> Iterator[str]:
    """Yield a Markdown table with a row for each method and set.

    Its last column counts the questions that only FiF did well, and those that only this method did well.
    """
    yield (
        "| method | set | right, wrong, abstained | unanswerable: withheld | calls | tokens in/out | Recall@10 "
        f"| only `{COMPARED}`, only it |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    grouped = _grouped(found, lambda one: (one.row.label, one.row.asked))
    for (label, asked), rows in grouped.items():
        verdicts = [verdict(one) for one in rows]
        counts = ", ".join(str(verdicts.count(one)) for one in ("right", "wrong", "abstained"))
        nobody_could = [one for one in rows if not one.question.answerable]
        withheld = f"{sum(verdict(one) == 'abstained' for one in nobody_could)} of {len(nobody_could)}"
        recalls = [share for one in rows if (share := recall_at(10)(one.question, one.outcome)) is not None]
        yield (
            f"| `{label}` | {SETS[asked]} | {counts} | {withheld if nobody_could else '–'} "
            f"| {mean(one.outcome.calls for one in rows):.2f} | {mean(one.outcome.input_tokens for one in rows):,.0f}/"
            f"{mean(one.outcome.output_tokens for one in rows):,.0f} "
            f"| {f'{100 * mean(recalls):.1f}' if recalls else '–'} "
            f"| {_difference(grouped.get((COMPARED, asked), []), rows) if label != COMPARED else '–'} |"
        )


def _difference(base: Sequence[Asked], rows: Sequence[Asked]) -> str:
    """Return how many common questions only the first did well, and how many only the second."""
    by_id = {one.question.id: did_well(one) for one in base}
    well = [(by_id[one.question.id], did_well(one)) for one in rows if one.question.id in by_id]
    return f"{well.count((True, False))}, {well.count((False, True))}" if well else "–"


def did_well(one: Asked) -> bool:
    """Return whether the answer is right or, for an unanswerable question, withheld."""
    return verdict(one) == ("right" if one.question.answerable else "abstained")


def to_read(found: Sequence[Asked]) -> Iterator[str]:
    """Yield answers for a person to read: those not right by wordings, lists, counts and summaries.

    Wordings cannot detect extra items in a list, or errors in a summary. Answers with a verdict are left out.
    """
    for one in found:
        if by_hand(one) is None and (not did_well(one) or one.row.asked == "beyond_lookup"):
            wanted = [list(part) for part in one.question.parts] or list(one.question.answers)
            yield f"{one.row.label} {one.question.id} {verdict(one)}: {one.question.question}"
            yield f"    gold {wanted}\n    said {one.outcome.error or one.outcome.short!r} | {one.outcome.answer}"


def _grouped(found: Sequence[Asked], key: Callable[[Asked], tuple[str, str]]) -> dict[tuple[str, str], list[Asked]]:
    groups: dict[tuple[str, str], list[Asked]] = {}
    for one in found:
        groups.setdefault(key(one), []).append(one)
    return groups
