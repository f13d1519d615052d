"""The README and the docs are true: commands exist, examples run, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backtrail.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
VERBS = "ingest|ask|trace|resume|fork|corpus|eval|doctor"
README = PAGES[0].read_text(encoding="utf-8")


def _commands() -> list[list[str]]:
    """Every backtrail command of the docs, without prompt, comments and redirections."""
    found: dict[str, list[str]] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```(?:console|bash|sh)\n(.*?)```", text, re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                match = re.search(
                    r"(?:^|[ /])backtrail ((?:ingest|ask|trace|resume|fork|corpus|eval|doctor)\b.*)", line
                )
                if match:
                    words = shlex.split(match[1], comments=True)
                    found[" ".join(words)] = words
    return list(found.values())


@cache
def _help(*path: str) -> str:
    done = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200"}, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_every_command_and_option_of_the_docs_exists(words: list[str]) -> None:
    path = words[:2] if words[0] == "corpus" else words[:1]
    shown = _help(*path)
    for option in (word.split("=")[0] for word in words if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word)):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", shown), f"{' '.join(path)} has no {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`", "", prose)  # code may speak of links
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which does not exist"


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"\$ make (\w+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_python_example_answers_with_a_citation(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    home = {**os.environ, "BACKTRAIL_HOME": str(tmp_path / "home")}
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in ("titan", "triton", "enceladus", "cassini-huygens"):  # all of them take half a minute
        shutil.copy(ROOT / "examples" / "corpus" / f"{name}.html", pages)
    corpus = ["ingest", str(pages), "--corpus", "examples", "--no-ocr"]
    subprocess.run([sys.executable, "-m", "backtrail.cli.app", *corpus], check=True, env=home, capture_output=True)
    done = subprocess.run([sys.executable, "-c", example], check=True, env=home, capture_output=True, text=True)
    assert "the largest moon of Saturn" in done.stdout
    assert "Titan (text, sentence" in done.stdout
