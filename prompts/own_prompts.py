"""Your own prompts in place of the packaged ones, such as those printed in a paper.

``BACKTRAIL_PROMPTS`` names a folder of files with the names, layout and inputs of the prompts they replace. Schemas,
checks and repairs stay the same: a prompt words a decision and does not change it.
"""

from __future__ import annotations

import os
from pathlib import Path

from backtrail.prompts.errors import PromptError
from backtrail.prompts.prompt_file import FOLDER

VARIABLE = "BACKTRAIL_PROMPTS"


def own_prompts() -> dict[str, Path]:
    """Return the files of the named folder, by prompt. Reads the disk.

    Raises:
        PromptError: the folder does not exist, or a file replaces no prompt.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if not named:
        return {}
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise PromptError(named, f"{VARIABLE} names this path, which is not a folder.")
    found = {file.stem: file for file in sorted(folder.rglob("*.md")) if file.stem != "README"}
    known = {file.stem for file in FOLDER.rglob("*.md")}
    if strangers := sorted(set(found) - known):
        raise PromptError(f"{strangers[0]}.md", f"{VARIABLE} contains it, and there is no prompt of that name.")
    return found


def folder_of(name: str) -> Path:
    """Return the folder of a prompt: the named folder if it has one, else the package."""
    own = own_prompts().get(name)
    return own.parent if own else FOLDER
