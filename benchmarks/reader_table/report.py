"""The table: what each row got right, for how much, and what differs from FiF question by question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

from backtrail.evals.scorers.retrieval import recall_at
from backtrail.evals.scorers.wordings import is_right
from reader_table.asking import Asked

SETS = {"ottqa": "OTT-QA", "wild": "real files", "pictures": "pictures"}
COMPARED = "fif"
READ = json.loads(Path(__file__).with_name("read_by_hand.json").read_text())
"""Answers that say the gold in other words, or do not although they hold its words: by question and short answer."""


def verdict(one: Asked) -> str:
    """right, wrong or abstained; ``error`` where the run itself failed."""
    if one.outcome.error is not None:
        return "error"
    if one.outcome.abstained:
        return "abstained"
    said = " ".join((one.outcome.short or one.outcome.answer).split())
    by_hand = READ.get(one.question.id, {}).get(said)
    return by_hand or ("right" if is_right(one.question, one.outcome) else "wrong")


def table(found: Sequence[Asked]) -> Iterator[str]:
    """Markdown lines, a row for each method and set."""
    yield (
        "| method | set | questions | right | wrong | abstained | unanswerable: withheld | calls | tokens in | out "
        "| Recall@10 |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for (label, asked), rows in _grouped(found, lambda one: (one.row.label, one.row.asked)).items():
        told = [verdict(one) for one in rows]
        nobody_could = [one for one in rows if not one.question.answerable]
        withheld = f"{sum(verdict(one) == 'abstained' for one in nobody_could)} of {len(nobody_could)}"
        recalls = [share for one in rows if (share := recall_at(10)(one.question, one.outcome)) is not None]
        yield (
            f"| `{label}` | {SETS[asked]} | {len(rows)} | {told.count('right')} | {told.count('wrong')} "
            f"| {told.count('abstained')} | {withheld if nobody_could else '–'} "
            f"| {mean(one.outcome.calls for one in rows):.2f} | {mean(one.outcome.input_tokens for one in rows):,.0f} "
            f"| {mean(one.outcome.output_tokens for one in rows):,.0f} "
            f"| {f'{100 * mean(recalls):.1f}' if recalls else '–'} |"
        )


def differences(found: Sequence[Asked]) -> Iterator[str]:
    """For each other row: questions that both were asked, and how often one alone did well; fewer calls and tokens.

    To withhold an answer that nobody could give is to do well.
    """
    yield f"| against `{COMPARED}` | set | both asked | both well | only `{COMPARED}` | only it | calls | tokens in |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    grouped = _grouped(found, lambda one: (one.row.label, one.row.asked))
    for (label, asked), rows in grouped.items():
        base = {one.question.id: one for one in grouped.get((COMPARED, asked), [])}
        pairs = [(base[one.question.id], one) for one in rows if one.question.id in base]
        if label == COMPARED or not pairs:
            continue
        well = [(did_well(ours), did_well(other)) for ours, other in pairs]
        calls = mean(other.outcome.calls - ours.outcome.calls for ours, other in pairs)
        tokens = mean(other.outcome.input_tokens - ours.outcome.input_tokens for ours, other in pairs)
        yield (
            f"| `{label}` | {SETS[asked]} | {len(pairs)} | {well.count((True, True))} | {well.count((True, False))} "
            f"| {well.count((False, True))} | {calls:+.2f} | {tokens:+,.0f} |"
        )


def did_well(one: Asked) -> bool:
    """Right, or rightly silent."""
    return verdict(one) == ("right" if one.question.answerable else "abstained")


def to_read(found: Sequence[Asked]) -> Iterator[str]:
    """What was not plainly right: the question, its gold and what was said."""
    for one in found:
        if not did_well(one):
            wanted = [list(part) for part in one.question.parts] or list(one.question.answers)
            yield f"{one.row.label} {one.question.id} {verdict(one)}: {one.question.question}"
            yield f"    gold {wanted}\n    said {one.outcome.error or one.outcome.short!r} | {one.outcome.answer[:400]}"


def _grouped(found: Sequence[Asked], key: Callable[[Asked], tuple[str, str]]) -> dict[tuple[str, str], list[Asked]]:
    groups: dict[tuple[str, str], list[Asked]] = {}
    for one in found:
        groups.setdefault(key(one), []).append(one)
    return groups
