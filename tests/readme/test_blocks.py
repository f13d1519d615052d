"""Code blocks of all pages: commands parse, variables and imports exist, and blocks marked with `run` are run."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.state.limits import VARIABLE as VARIABLE_OF_LIMITS
from backtrail.state.limits import Limits
from backtrail.tools.settings.file import variable
from backtrail.tools.settings.keys import known_keys

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(<!-- run -->\n)?^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:^|[ /(])backtrail ((?:[a-z]|--)[^|;)]*)")
EXAMPLES = ("titan", "cassini-huygens", "voyager-1", "voyager-2", "io", "europa", "galileo", "launch-vehicles")
HANDBOOK = {
    "handbook/log.md": "# Maintenance log\n\nIn 2019 the intake pump failed. It was replaced by a pump of the type "
    "[Heron](heron.md).\n",
    "handbook/heron.md": "# Heron\n\nThe Heron pump was designed by Ada Brandt in Bremen.\n",
    "questions.jsonl": '{"id": "designer", "answers": ["Ada Brandt"], '
    '"question": "Who designed the pump that replaced the intake pump?"}\n',
}
VARIABLE = re.compile(r"BACKTRAIL_[A-Z]+(?:_[A-Z]+)*\b")


def _blocks(page: Path, *languages: str) -> list[tuple[bool, str]]:
    """The blocks of a page in these languages: whether each is run, and its text with continued lines joined."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(bool(run), text.replace("\\\n", " ")) for run, language, text in found if language in languages]


def _commands() -> list[str]:
    lines = [line for page in PAGES for _, text in _blocks(page, "console", "sh", "bash") for line in text.splitlines()]
    shown = [line for line in lines if re.match(r"[$>] ", line)]
    return sorted({match[1] for line in shown if (match := COMMAND.search(re.sub(r"\s#\s.*", "", line)))})


def _parse(command: Any, words: list[str], name: str) -> None:
    """Parse as the program does, except for the values: files of an example do not exist here."""
    context = command.context_class(command, info_name=name)
    parser = command.make_parser(context)
    if not hasattr(command, "commands"):
        parser.parse_args(words)
        return
    _, rest, _ = parser.parse_args(words)
    if rest:
        assert rest[0] in command.commands, f"{name} has no command {rest[0]!r}"
        _parse(command.commands[rest[0]], rest[1:], f"{name} {rest[0]}")


@pytest.mark.parametrize("command", _commands())
def test_every_command_of_the_pages_parses(command: str) -> None:
    words = shlex.split(re.sub(r"[<>&].*", "", command) if "'" not in command else command)
    _parse(typer.main.get_command(app), words, "backtrail")


def test_the_parser_of_this_test_refuses_what_does_not_exist() -> None:
    for wrong in (["ask", "Who?", "--no-such"], ["corpus", "none"], ["fork", "T", "--at"]):
        with pytest.raises((Exception, AssertionError), match=r"[Nn]o such option|has no command|requires an argument"):
            _parse(typer.main.get_command(app), wrong, "backtrail")


def test_every_variable_of_the_pages_is_read_somewhere() -> None:
    rooms = [path.resolve() for path in (ROOT / "src" / "backtrail").iterdir() if path.is_dir()]
    sources = [*(file for room in rooms for file in room.rglob("*.py")), ROOT / "Makefile", ROOT / "compose.yaml"]
    sources += [*(ROOT / "benchmarks").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    read = {name for file in sources for name in VARIABLE.findall(file.read_text(encoding="utf-8"))}
    read |= {variable(key) for key in known_keys()} | {VARIABLE_OF_LIMITS + one.name.upper() for one in fields(Limits)}
    named = {(page.name, name) for page in PAGES for name in VARIABLE.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert sorted((page, name) for page, name in named if not any(one.startswith(name) for one in read)) == []


@pytest.mark.parametrize("page", [page for page in PAGES if _blocks(page, "python")], ids=lambda page: page.name)
def test_python_blocks_compile_and_their_imports_exist(page: Path) -> None:
    for _, text in _blocks(page, "python"):
        compile(text, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("backtrail"):
                module = import_module(str(node.module))
                assert [one.name for one in node.names if not hasattr(module, one.name)] == [], f"{page.name}: {text}"


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the pages' commands run in: files to ingest, questions, and a home with the corpus ``examples``.

    ``towns`` is the bundle that its page shows.
    """
    folder = tmp_path_factory.mktemp("pages")
    for name, text in HANDBOOK.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "releases" / "mmlongbench" / "data" / "documents" / "harbour-report.pdf", folder)
    documents, *components = [text for _, text in _blocks(ROOT / "docs" / "corpus-bundle.md", "json")][:4]
    (folder / "towns" / "media").mkdir(parents=True)
    (folder / "towns" / "documents.jsonl").write_text(documents, encoding="utf-8")
    (folder / "towns" / "components.jsonl").write_text("".join(components), encoding="utf-8")
    Image.new("RGB", (640, 480), "gray").save(folder / "towns" / "media" / "old-bridge.jpg")
    for name in EXAMPLES:  # all 47 pages take half a minute
        (folder / "corpus").mkdir(exist_ok=True)
        shutil.copy(ROOT / "examples" / "corpus" / f"{name}.html", folder / "corpus")
    command = ["ingest", str(folder / "corpus"), "--corpus", "examples", "--knowledge-graph", "--no-ocr"]
    CliRunner().invoke(app, command, env={"BACKTRAIL_HOME": str(folder / "home")}, catch_exceptions=False)
    return folder


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(run for run, _ in _blocks(page, "console"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_blocks_that_are_marked_run_in_order_and_print_what_the_page_shows(
    page: Path, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = shutil.copytree(workspace, tmp_path / "here")
    monkeypatch.chdir(here)
    env = {"BACKTRAIL_HOME": str(here / "home"), "COLUMNS": "120"}

    def run(command: str) -> str:
        if not command.startswith("backtrail "):
            subprocess.run(["bash", "-c", command], check=True)
            return ""
        done = CliRunner().invoke(app, shlex.split(command, comments=True)[1:], env=env, catch_exceptions=False)
        assert done.exit_code == 0, f"{command}: {done.output}"
        return done.stdout

    for marked, text in _blocks(page, "console"):
        for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if marked else []:
            command, _, expected = step.partition("\n")
            if "THREAD" in command:
                threads = json.loads(run("backtrail trace --json"))["threads"]
                command = command.replace("THREAD", threads[-1]["thread_id"])
            output = run(command)
            for line in expected.splitlines():
                assert line.partition("…")[0].rstrip() in output, f"{page.name}: {command} prints:\n{output}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(run for run, _ in _blocks(page, "python"))], ids=lambda page: page.name
)
def test_python_blocks_that_are_marked_run_in_order(
    page: Path, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = shutil.copytree(workspace, tmp_path / "here")
    monkeypatch.chdir(here)
    monkeypatch.setenv("BACKTRAIL_HOME", str(here / "home"))
    names: dict[str, Any] = {}
    for marked, text in _blocks(page, "python"):
        if marked:
            exec(compile(text, str(page), "exec"), names)
    assert names["answer"].short == "Ada Brandt"
