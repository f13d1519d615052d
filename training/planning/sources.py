"""Sources of trajectories: files of CogBench, and folders of own evaluations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from backtrail.training.errors import AnnotationsError
from backtrail.training.planning.cogbench import TRAIN, cogbench_file, read_courses
from backtrail.training.planning.from_evaluations import Judged, is_evaluation, own_courses
from backtrail.training.planning.trajectory import Trajectory


@dataclass(frozen=True)
class Sources:
    """Files and folders of trajectories.

    Args:
        questions: file of the questions of the evaluations.
        settings: settings with the corpus that evaluations searched.
    """

    given: Sequence[Path]
    questions: Path | None
    settings: Settings
    judged: Judged = field(default_factory=Judged)
    left_out: dict[str, str] = field(default_factory=dict[str, str])

    def courses(self) -> Iterator[Trajectory]:
        """Yield all trajectories; unusable ones go into ``left_out`` with the reason.

        Raises:
            AnnotationsError: a source is neither kind, or the questions of an evaluation are missing.
        """
        toolbox = Toolbox()
        for source in self.given:
            if is_evaluation(source):
                if self.questions is None:
                    raise AnnotationsError(f"{source} is an evaluation: name its file of questions with --questions.")
                contents = toolbox.contents(self.settings)
                yield from own_courses(source, self.questions, contents, self.judged, self.left_out)
            elif (file := cogbench_file(source)) is not None:
                yield from read_courses(file, self.left_out)
            else:
                raise AnnotationsError(f"{source} is neither a folder of results nor a folder with {TRAIN}.")

    def reasons(self) -> dict[str, int]:
        """Return the number of trajectories left out by reason."""
        return dict(sorted(Counter(self.left_out.values()).items()))
