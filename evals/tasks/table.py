"""Table of all tasks and suites."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.evals.errors import TaskUnknown
from backtrail.evals.task import Suite, Task
from backtrail.evals.tasks.cogbench import COGBENCH
from backtrail.evals.tasks.crisismmd import CRISISMMD
from backtrail.evals.tasks.custom import CUSTOM
from backtrail.evals.tasks.documents.double_bench import DOUBLE_BENCH
from backtrail.evals.tasks.documents.m3sciqa import M3SCIQA
from backtrail.evals.tasks.documents.madqa import MADQA
from backtrail.evals.tasks.documents.mmdocrag import MMDOCRAG
from backtrail.evals.tasks.documents.mmlongbench import MMLONGBENCH, MMLONGBENCH_ALL
from backtrail.evals.tasks.documents.vidoseek import VIDOSEEK
from backtrail.evals.tasks.dynvqa import DYNVQA
from backtrail.evals.tasks.examples import EXAMPLES
from backtrail.evals.tasks.hotpotqa import HOTPOTQA
from backtrail.evals.tasks.hybridqa import HYBRIDQA
from backtrail.evals.tasks.infoseek import INFOSEEK
from backtrail.evals.tasks.lifevqa import LIFEVQA
from backtrail.evals.tasks.livevqa import LIVEVQA
from backtrail.evals.tasks.mmcoqa import MMCOQA
from backtrail.evals.tasks.multimodalqa import MULTIMODALQA
from backtrail.evals.tasks.musique import MUSIQUE
from backtrail.evals.tasks.nocaps import NOCAPS
from backtrail.evals.tasks.ottqa import OTTQA
from backtrail.evals.tasks.own_contexts import within_contexts
from backtrail.evals.tasks.scienceqa import SCIENCEQA
from backtrail.evals.tasks.scienceqa_vqa import SCIENCEQA_VQA
from backtrail.evals.tasks.tatqa import TATQA
from backtrail.evals.tasks.two_wiki import TWO_WIKI
from backtrail.evals.tasks.visual7w import VISUAL7W
from backtrail.evals.tasks.vqamix import VQAMIX
from backtrail.evals.tasks.vqav2 import VQAV2
from backtrail.evals.tasks.webqa import WEBQA
from backtrail.evals.tasks.wikitablequestions import WIKITABLEQUESTIONS
from backtrail.evals.tasks.wild import WILD
from backtrail.state.extensions import load_extensions

TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        EXAMPLES,
        OTTQA,
        MULTIMODALQA,
        within_contexts(MULTIMODALQA, "dev"),
        MMCOQA,
        WEBQA,
        within_contexts(WEBQA, "val"),
        SCIENCEQA,
        *CRISISMMD,
        DYNVQA,
        LIVEVQA,
        COGBENCH,
        SCIENCEQA_VQA,
        INFOSEEK,
        VQAV2,
        NOCAPS,
        VISUAL7W,
        LIFEVQA,
        VQAMIX,
        HYBRIDQA,
        MUSIQUE,
        HOTPOTQA,
        TWO_WIKI,
        WIKITABLEQUESTIONS,
        TATQA,
        MMLONGBENCH,
        MMLONGBENCH_ALL,
        VIDOSEEK,
        MADQA,
        DOUBLE_BENCH,
        MMDOCRAG,
        M3SCIQA,
        *WILD.tasks,
        *load_extensions("tasks", Task).values(),
    )
}
SUITES: Mapping[str, Suite] = {WILD.name: WILD}


def find_task(name: str) -> Task:
    """Return the task of that name.

    Raises:
        TaskUnknown: there is none; lists those that exist.
    """
    if name not in TASKS:
        advice = f"For questions of your own: backtrail eval {CUSTOM} --questions FILE --corpus NAME"
        raise TaskUnknown(name, [*TASKS, *SUITES, CUSTOM], advice)
    return TASKS[name]


def find_tasks(name: str) -> tuple[Task, ...]:
    """Return the tasks of the suite of that name, else the one task.

    Raises:
        TaskUnknown: there is none; lists those that exist.
    """
    return SUITES[name].tasks if name in SUITES else (find_task(name),)
