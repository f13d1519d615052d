"""Code blocks of all pages: commands parse, variables and imports exist, and blocks marked with `run` are run."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from fixtures import tiny_vlm
from fixtures.annotated import known_towers, towers
from fixtures.page_terminal import Terminal, write_files
from fixtures.tiny_planner import save_planner_base
from langchain_core.messages import convert_to_openai_messages
from loopback.openai_server import OpenAIServer
from loopback.web_server import WebServer
from loopback.web_server import page as html_page
from PIL import Image
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.state.limits import VARIABLE as VARIABLE_OF_LIMITS
from backtrail.state.limits import Limits
from backtrail.tools.local.engine import close_engines
from backtrail.tools.settings.file import variable
from backtrail.tools.settings.keys import known_keys
from backtrail.training.planner_prompt import planner_prompt

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
STAND_INS = {"https://docs.example.org": "site", "/models/": "models", "http://127.0.0.1:8000/v1": "model_server"}
"""Fixtures by what stands on a page."""
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
    towers(folder / "towers")
    shutil.copy(folder / "towers" / "0.png", folder / "tower.jpg")
    for name in EXAMPLES:  # all 47 pages take half a minute
        (folder / "corpus").mkdir(exist_ok=True)
        shutil.copy(ROOT / "examples" / "corpus" / f"{name}.html", folder / "corpus")
    command = ["ingest", str(folder / "corpus"), "--corpus", "examples", "--knowledge-graph", "--no-ocr"]
    CliRunner().invoke(app, command, env={"BACKTRAIL_HOME": str(folder / "home")}, catch_exceptions=False)
    return folder


@pytest.fixture
def site() -> Iterator[str]:
    """The handbook as a site."""
    first = "In 2019 the intake pump failed. It was replaced by a pump of the type <a href='heron'>Heron</a>."
    with WebServer() as web:
        web.say("/en/stable/", html_page("Maintenance log", first))
        web.say("/en/stable/heron", html_page("Heron", "The Heron pump was designed by Ada Brandt in Bremen."))
        yield web.url


@pytest.fixture
def models(tmp_path: Path) -> Iterator[str]:
    """Checkpoints with random weights."""
    pytest.importorskip("torch").set_num_threads(1)
    tiny_vlm.save_qwen2_5_vl(tmp_path / "Qwen2.5-VL-7B-Instruct")
    prompt = convert_to_openai_messages(planner_prompt("When was this tower built?").messages, text_format="block")
    save_planner_base(
        tmp_path / "learner", [part["text"] for one in prompt for part in one["content"] if "text" in part]
    )
    yield f"{tmp_path}/"
    close_engines()


@pytest.fixture
def model_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of models of OpenAI's format, with OpenAI's own beside it."""
    with OpenAIServer([known_towers], forever=True) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield server.url


@pytest.fixture
def stand_in(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Puts what is here in the place of sites, models and servers that an example names."""
    monkeypatch.setenv("BACKTRAIL_FETCH_LOOPBACK", "yes")
    monkeypatch.setenv("BACKTRAIL_LOCAL_TOKENS", "16")  # random weights never end a reply

    def replaced(text: str) -> str:
        for named, fixture in STAND_INS.items():
            text = text.replace(named, request.getfixturevalue(fixture)) if named in text else text
        return text

    return replaced


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(run for run, _ in _blocks(page, "console"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_blocks_that_are_marked_run_in_order_and_print_what_the_page_shows(
    page: Path, workspace: Path, stand_in: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = shutil.copytree(workspace, tmp_path / "here")
    monkeypatch.chdir(here)
    write_files(here, [text for marked, text in _blocks(page, "toml", "python") if marked])
    blocks = "".join(stand_in(text) for marked, text in _blocks(page, "console") if marked)
    with Terminal(here) as terminal:
        for step in re.split(r"^\$ ", blocks, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            if "THREAD" in command:
                command = command.replace("THREAD", terminal.latest_thread())
            output = terminal.run(command)
            for line in expected.splitlines():
                assert line.partition("…")[0].rstrip() in output, f"{page.name}: {command} prints:\n{output}"


@pytest.mark.parametrize(
    ("page", "holds"),
    [("python.md", "answer.short == 'Ada Brandt'"), ("local-models.md", "reply.usage_metadata['output_tokens'] > 0")],
)
def test_python_blocks_that_are_marked_run_in_order(
    page: str, holds: str, workspace: Path, stand_in: Callable[[str], str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    here = shutil.copytree(workspace, tmp_path / "here")
    monkeypatch.chdir(here)
    monkeypatch.setenv("BACKTRAIL_HOME", str(here / "home"))
    names: dict[str, Any] = {}
    for marked, text in _blocks(ROOT / "docs" / page, "python"):
        if marked:
            exec(compile(stand_in(text), page, "exec"), names)
    assert eval(holds, names)


def test_every_page_has_an_example_that_runs() -> None:
    made = {"index.md", "api.md", "cli.md", "glossary.md", "size.md"}  # lists, and what is made from the code
    pages = {page for page in PAGES if page.parts[-2] != "architecture" or page.name == "overview.md"}
    without = {page.name for page in pages if not any(marked for marked, _ in _blocks(page, "console", "python"))}
    assert without - made == {"README.md", "CONTRIBUTING.md"}


# --- links, make targets, the example of the README --------------------------------------------------
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
