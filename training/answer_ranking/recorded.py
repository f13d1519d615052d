"""Recorded: questions with known answers, each with all that the reader was given for it, as a file of JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from backtrail.evals.asking import ask
from backtrail.evals.gold import with_gold
from backtrail.evals.questions import Question
from backtrail.evals.task import Task
from backtrail.graphs.methods import find_method
from backtrail.rules.table import RULES
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, Reading
from backtrail.state.offline.extract import ExtractInputs
from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.toolbox import Toolbox
from backtrail.training.errors import RowsError
from backtrail.training.json_lines import JsonLines


class Recorded(BaseModel):
    """A question of a task over a corpus. ``inputs`` is None where nothing was found to read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    corpus: str
    question: Question
    inputs: ExtractInputs | None


def read_recorded(file: Path) -> list[Recorded]:
    """Each question of each task once, the last one that was recorded. None where there is no file.

    Raises:
        RowsError: a line is no such question; it is named.
    """
    found: dict[tuple[str, str], Recorded] = {}
    for number, line in JsonLines(file).read():
        try:
            row = Recorded.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "line"
            raise RowsError(file, number, f"{place}: {first['msg']}") from error
        found[row.task, row.question.id] = row
    return list(found.values())


async def record(file: Path, tasks: Iterable[Task], *, method: str, limit: int, told: Callable[[str], None]) -> None:
    """Ask the questions that are not recorded yet, offline, one by one, and keep what was read for each at once.

    A question that fails is told, not kept, and asked again by the next call.

    Raises:
        BacktrailError: a task, corpus or method cannot be used, or the file is damaged.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = JsonLines(file)
    lines.mend()
    held = {(row.task, row.question.id) for row in read_recorded(file)}
    seen: list[AnswerInputs] = []

    def answer(inputs: AnswerInputs) -> Reading:
        seen.append(inputs)
        return RULES[ANSWER.name](inputs)  # type: ignore[return-value]

    toolbox = Toolbox()
    toolbox.rules = OfflineDecider({**RULES, ANSWER.name: answer})
    asked = find_method(method)
    graph = asked.build(toolbox).compile(name=asked.name)
    for task in tasks:
        settings = Settings(
            corpus=task.corpus, planner=OFFLINE, reader=OFFLINE, vlm=OFFLINE, expert=OFFLINE, judge=OFFLINE
        )
        for question in with_gold(task.read()[:limit], toolbox.corpus(settings)):
            if (task.name, question.id) in held or not question.answers:
                continue
            seen.clear()
            outcome = await ask(asked, graph, settings, question)
            if outcome.error is not None:
                told(f"{task.name}, {question.id}: {outcome.error}")
                continue
            row = Recorded(
                task=task.name, corpus=task.corpus, question=question, inputs=_kept(seen[-1]) if seen else None
            )
            lines.append(row.model_dump_json())


def _kept(inputs: AnswerInputs) -> ExtractInputs:
    return inputs if isinstance(inputs, ExtractInputs) else ExtractInputs(**dict(inputs))
