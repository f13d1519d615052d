"""A model in one GGUF file replies as one of a folder does: named by the file or by its folder."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.optional_packages import skip_without
from fixtures.tiny_gguf import save_gguf
from langchain_core.messages import HumanMessage

from backtrail.tools.local.chat import open_local_chat
from backtrail.tools.local.checkpoint import read_checkpoint
from backtrail.tools.local.engine import close_engines
from backtrail.tools.local.errors import CheckpointBroken, CheckpointMissing, CheckpointUnsupported

skip_without("torch", "gguf")

SCHEMA = {
    "type": "object", "properties": {"river": {"enum": ["Ondra", "Sava"]}}, "required": ["river"],
    "additionalProperties": False,
}  # fmt: skip


@pytest.fixture(autouse=True)
def on_the_processor(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BACKTRAIL_LOCAL_DEVICE", "cpu")
    yield
    close_engines()


def said(file: Path) -> object:
    """What a model says that is loaded anew."""
    close_engines()
    return open_local_chat(file).invoke([HumanMessage("Which river?")], max_tokens=12).content


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_gguf(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


async def test_its_replies_are_held_to_a_schema(file: Path) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "river", "schema": SCHEMA}}
    reply = await open_local_chat(file).ainvoke([HumanMessage("Which river?")], response_format=form)
    assert json.loads(str(reply.text))["river"] in ("Ondra", "Sava")


def test_it_is_unpacked_once_and_says_the_same_from_then_on(
    file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gguf

    parsed: list[object] = []
    reader = gguf.GGUFReader
    monkeypatch.setattr(gguf, "GGUFReader", lambda *given: (parsed.append(given), reader(*given))[1])
    assert said(file) == said(file)
    assert len(parsed) == 1  # for its architecture, weights and words together
    (kept,) = (home / "cache" / "gguf").iterdir()
    assert kept.name.endswith("-float32")
    file.touch()  # another file, for all that is known: it is read anew
    said(file)
    assert len(parsed) == 2


def test_a_file_or_the_folder_that_holds_it_is_named(file: Path) -> None:
    assert read_checkpoint(file) == read_checkpoint(file.parent)
    assert (read_checkpoint(file).model_type, read_checkpoint(file).sees, read_checkpoint(file).adapter) == (
        "llama", False, None,
    )  # fmt: skip


def test_what_cannot_be_loaded_says_why(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointMissing, match="does not exist"):
        read_checkpoint(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("no model")
    with pytest.raises(CheckpointBroken, match="is not a GGUF file"):
        read_checkpoint(tmp_path / "text.gguf")
    (tmp_path / "half.gguf").write_bytes(file.read_bytes()[:64])
    with pytest.raises((CheckpointBroken, CheckpointUnsupported)):
        read_checkpoint(tmp_path / "half.gguf")
    with pytest.raises(CheckpointUnsupported, match="Name one of them"):
        read_checkpoint(tmp_path)
    odd = tmp_path / "odd"
    odd.mkdir()
    shutil.copy(save_gguf(odd / "unheard.gguf", "unheard"), odd / "copy.bin")
    with pytest.raises(CheckpointUnsupported, match="llama-server"):
        read_checkpoint(odd)
