"""The README and the docs are true: commands exist, examples run, links lead somewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")


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
