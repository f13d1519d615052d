"""Add a method to this checkout: its files, its row, its settings, a frozen run and its line in the README.

    python skeleton/new_method.py NAME

The method in ``skeleton/second_look``, which works, is copied under the new name. ``make new-method NAME=…``
calls this, then generates what is made from the code.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
import tomllib
from pathlib import Path

SKELETON = Path(__file__).parent / "second_look"
ROOMS = ("state", "prompts", "rules", "nodes", "graphs", "docs", "tests")


def main() -> None:
    """Check everything, then write."""
    root, name = Path.cwd(), sys.argv[1] if len(sys.argv) == 2 else ""
    if problem := unusable(root, name):
        raise SystemExit(f"{problem} Run: make new-method NAME=two_pass")
    files = [path for room in ROOMS for path in sorted((SKELETON / room).rglob("*")) if path.suffix in (".py", ".md")]
    added = {renamed(str(path.relative_to(SKELETON)), name): renamed(path.read_text("utf-8"), name) for path in files}
    changed = with_insertions(root, name)
    for file, text in {**added, **changed}.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    python = [file for file in (*added, *changed) if file.endswith(".py")]
    for command in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *python], cwd=root, check=True)
    print(*(f"added {file}" for file in added), *(f"changed {file}" for file in changed), sep="\n")


def unusable(root: Path, name: str) -> str:
    """Return what is wrong with a name, or nothing."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        return f"{name!r} is no name for a method: use small letters, digits and single underscores."
    places = [f"{room}/{name}{suffix}" for room in ROOMS for suffix in ("", ".py")]
    taken = [place for place in places if (root / place).exists()]
    if re.search(rf"^    {name}: ", (root / "state/settings.py").read_text("utf-8"), re.MULTILINE):
        taken.append("a field of state/settings.py")
    return f"The name {name!r} is taken by {taken[0]}." if taken else ""


def with_insertions(root: Path, name: str) -> dict[str, str]:
    """Return the new texts of files that exist.

    Raises:
        SystemExit: the text before which a line goes does not occur exactly once.
    """
    texts: dict[str, str] = {}
    for insertion in tomllib.loads((SKELETON / "insertions.toml").read_text("utf-8"))["insertion"]:
        file, before = insertion["file"], insertion["before"]
        text = texts.get(file) or (root / file).read_text("utf-8")
        if text.count(before) != 1:
            raise SystemExit(f"{file} has {before!r} {text.count(before)} times, not once: correct insertions.toml.")
        texts[file] = text.replace(before, renamed(insertion["text"], name) + before)
    return texts


def renamed(text: str, name: str) -> str:
    """Return a text of the skeleton with the new name in each of its spellings."""
    words = name.split("_")
    titled = [word.capitalize() for word in words]
    spellings = {
        "second_look": name,
        "second-look": "-".join(words),
        "SecondLook": "".join(titled),
        "Second Look": " ".join(titled),
    }
    for old, new in spellings.items():
        text = text.replace(old, new)
    return text


if __name__ == "__main__":
    main()
