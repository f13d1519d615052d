"""Prompts of your own in place of those that come along, such as the ones that a paper printed.

``BACKTRAIL_PROMPTS`` names a folder with files called like the prompts they stand for, in the same layout, with the
same inputs. What is asked for, checked and repaired stays the same: a prompt words a decision, it does not change it.
"""

from __future__ import annotations

import os
from pathlib import Path

from backtrail.prompts.errors import PromptError
from backtrail.prompts.prompt_file import FOLDER

VARIABLE = "BACKTRAIL_PROMPTS"


def own_prompts() -> dict[str, Path]:
    """The files of the named folder, by prompt; none where none is named. Reads the disk.

    Raises:
        PromptError: the folder is not there, or a file stands for no prompt.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if not named:
        return {}
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise PromptError(named, f"{VARIABLE} names it, and it is no folder.")
    found = {file.stem: file for file in sorted(folder.rglob("*.md")) if file.stem != "README"}
    known = {file.stem for file in FOLDER.rglob("*.md")}
    if strangers := sorted(set(found) - known):
        raise PromptError(f"{strangers[0]}.md", f"{VARIABLE} holds it, and there is no prompt of that name.")
    return found


def folder_of(name: str) -> Path:
    """Where a prompt is read: the named folder where it holds one, else the package."""
    own = own_prompts().get(name)
    return own.parent if own else FOLDER
