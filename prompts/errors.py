"""Error of a prompt file or of its inputs."""

from __future__ import annotations

from backtrail.state.errors import BacktrailError


class PromptError(BacktrailError):
    """A prompt file is missing, malformed, uses forbidden constructs, or does not fit its inputs.

    Args:
        file: name of the prompt file, e.g. ``answer.md``.
        problem: what is wrong with it, and what would be right.
    """

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"prompts/{file}: {problem}")
        self.file = file
        self.problem = problem
