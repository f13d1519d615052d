"""The prompt file: front matter with its inputs and its source, then a system and a user part.

---
inputs: [question, has_picture]
source: where the rules come from
---
# system
…
# user
…
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from backtrail.prompts.errors import PromptError

FOLDER = Path(__file__).parent

_INSTALLED: list[Path] = []


def add_prompts(folder: Path) -> None:
    """Register a folder of another package that has prompts."""
    _INSTALLED.append(folder)


_LAYOUT = re.compile(
    r"\A---\n(?P<front>.*?)\n---\n\s*# system\n(?P<system>.*?)\n# user\n(?P<user>.*)\Z",
    re.DOTALL,
)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class PromptFile:
    """A prompt as stored, not yet compiled. ``hash`` identifies this exact wording."""

    file: str
    inputs: tuple[str, ...]
    source: str
    system: str
    user: str
    hash: str


def read_prompt_file(name: str, folder: Path = FOLDER) -> PromptFile:
    """Read the prompt of a decision from disk; never call it in an event loop.

    Raises:
        PromptError: no such file, or it lacks the front matter or one of the two parts.
    """
    file = f"{name}.md"
    if not _NAME.fullmatch(name):
        raise PromptError(file, "a prompt is named like its decision: small letters, digits and '_'.")

    folders = [*_INSTALLED, folder] if folder == FOLDER else [folder]
    existing = {path.stem: path for one in folders for path in one.rglob("*.md")}
    if name not in existing:
        raise PromptError(file, f"there is no such file; existing prompts are {sorted(existing)}.")
    return parse_prompt(file, existing[name].read_text(encoding="utf-8"))


def parse_prompt(file: str, text: str) -> PromptFile:
    """Split a prompt's text into its parts.

    Raises:
        PromptError: the layout or the front matter is not as the module's docstring shows it.
    """
    text = text.replace("\r\n", "\n")
    layout = _LAYOUT.match(text)
    if layout is None:
        raise PromptError(file, "expected front matter between '---' lines, then '# system', then '# user'.")
    front = _front_matter(file, layout["front"])
    system, user = layout["system"].strip(), layout["user"].strip()
    if not system or not user:
        raise PromptError(file, "the system and the user part must not be empty.")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return PromptFile(file, _input_names(file, front["inputs"]), front["source"], system, user, digest)


def _front_matter(file: str, text: str) -> dict[str, str]:
    front: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if not colon or not value.strip():
            raise PromptError(file, f"the front matter line {line!r} is not 'key: value'.")
        front[key.strip()] = value.strip()
    if set(front) != {"inputs", "source"}:
        raise PromptError(file, f"the front matter must have exactly 'inputs' and 'source', not {sorted(front)}.")
    return front


def _input_names(file: str, text: str) -> tuple[str, ...]:
    if not (text.startswith("[") and text.endswith("]")):
        raise PromptError(file, f"'inputs' must be a list such as [question, memory], not {text!r}.")
    names = tuple(name.strip() for name in text[1:-1].split(","))
    bad = [name for name in names if not _NAME.fullmatch(name)]
    if bad or len(set(names)) != len(names):
        raise PromptError(file, f"'inputs' must be distinct plain names; {text!r} is not.")
    return names
