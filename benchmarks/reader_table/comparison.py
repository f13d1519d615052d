"""Compare the outcomes of a run with those of the baseline, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from reader_table.asking import Asked
from reader_table.report import did_well, verdict

Pair = tuple[Asked, Asked]


def pairs(before: Sequence[Asked], after: Sequence[Asked]) -> list[Pair]:
    """Return the questions with the same wording that both finished, with both outcomes."""
    baseline = {(one.row, one.question.id, one.outcome.fingerprint): one for one in before}
    found = [(baseline.get((one.row, one.question.id, one.outcome.fingerprint)), one) for one in after]
    return [(old, new) for old, new in found if old is not None and new.outcome.error is None]


def worse(compared: Sequence[Pair]) -> list[str]:
    """Return the ids of questions that the baseline answers well and the run does not."""
    return [new.question.id for old, new in compared if did_well(old) and not did_well(new)]


def comparison(compared: Sequence[Pair]) -> Iterator[str]:
    """Yield Markdown lines: totals of both runs, then each question whose verdict or calls differ."""
    if not compared:
        yield "no question in common with the baseline"
        return
    yield "| run | questions | did well | right | wrong | abstained | calls | tokens in | out |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, run in zip(("baseline", "now"), zip(*compared, strict=True), strict=True):
        verdicts, well = [verdict(one) for one in run], sum(map(did_well, run))
        yield (
            f"| {name} | {len(run)} | {well} | {verdicts.count('right')} | {verdicts.count('wrong')} "
            f"| {verdicts.count('abstained')} | {mean(one.outcome.calls for one in run):.2f} "
            f"| {mean(one.outcome.input_tokens for one in run):,.0f} "
            f"| {mean(one.outcome.output_tokens for one in run):,.0f} |"
        )
    changed = [pair for pair in compared if _shown(pair[0]) != _shown(pair[1])]
    if changed:
        yield ""
        yield "| question | baseline | now |"
        yield "|---|---|---|"
    for old, new in changed:
        yield f"| `{new.row.label}` {new.question.id} | {_shown(old)} | {_shown(new)} |"


def _shown(one: Asked) -> str:
    calls = one.outcome.calls
    return f"{verdict(one)}, {calls} call{'' if calls == 1 else 's'}"
