"""A folder by others: what cannot be read in it is named, and costs none of the other files."""

import json
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.tools.corpus.open import open_corpus

Fill = Callable[[Path], None]


def page(name: bytes | str, text: str = "Odd words.") -> Fill:
    def fill(folder: Path) -> None:
        path = Path(folder, os.fsdecode(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1"))

    return fill


def link(name: str, target: str) -> Fill:
    return lambda folder: (folder / name).symlink_to(target)


def both(*fills: Fill) -> Fill:
    def fill(folder: Path) -> None:
        for one in fills:
            one(folder)

    return fill


def picture(name: bytes | str) -> Fill:
    return lambda folder: Image.new("RGB", (120, 120), "red").save(Path(folder, os.fsdecode(name)))


def pipe(name: str) -> Fill:
    return lambda folder: os.mkfifo(folder / name)


def bound_socket(folder: Path) -> None:
    here = os.getcwd()
    os.chdir(folder)  # the name of a socket may have a hundred characters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket.md")
    finally:
        os.chdir(here)


def nested_folders(folder: Path) -> None:
    for _ in range(400):
        folder = folder / "d"
        folder.mkdir()
    (folder / "deep.md").write_text("Deep words.")


NOTEBOOK = {
    "cells": [
        {
            "cell_type": "markdown",
            "source": "# Moons \ud83d\n\n[far](\udfff)",
            "attachments": {"\ud800": {"image/png": "eA=="}},
        },
        {"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "\udfff"}]},
    ],
    "metadata": {"title": "\ud800", "kernelspec": {"language": "\ud800"}},
}
HEAD = '<meta charset="{}">\n\nCaf\xe9 \\ud800 words.'
READ = {
    "newline": page("a\nb.md"),
    "right to left": page("a\u202egnp.md"),
    "control": page("\x1b]0;x\x07\x1b[31m.md"),
    "nested": nested_folders,
    **{charset: page(f"{charset}.md", HEAD.format(charset)) for charset in ("idna", "undefined", "unicode_escape")},
    "charset of HTML": page("page.html", HEAD.format("undefined")),
    "charset of a mail": page("mail.eml", "Subject: x\nContent-Type: text/plain; charset=undefined\n\nWords."),
    "surrogates of UTF-7": page("mail.eml", "Subject: x\nContent-Type: text/plain; charset=utf-7\n\nWords +2AA-."),
    "surrogates of a notebook": page("notes.ipynb", json.dumps(NOTEBOOK)),
    "surrogates beside a picture": both(page("x/x.png.json", '{"title": "\\ud800"}'), picture("x/x.png")),
    "surrogates of a page's values": page("p.md", '---\ntitle: "\\ud800"\n---\n\nWords.'),
}
NAMED = {
    "pipe": pipe("pipe.md"),
    "socket": bound_socket,
    "device": link("zero.md", "/dev/zero"),
    "device for a picture": link("zero.png", "/dev/zero"),
    "link out of the folder": link("host.txt", "/etc/hostname"),
    "links to each other": both(link("a.md", "b.md"), link("b.md", "a.md")),
    "no UTF-8": page(b"\xff.md"),
    "no UTF-8 of unknown kind": page(b"\xff.\xfe"),
    "picture": both(page("p.html"), picture(b"\xff.png")),
    "folder": page(b"\xff/in.md"),
    "site": both(page(b"\xff/mkdocs.yml", "site_name: x"), page(b"\xff/docs/in.md")),
    "bundle": both(page(b"\xff/documents.jsonl"), page(b"\xff/components.jsonl")),
}
PASSED_OVER = {
    "link to itself": link("self", "."),
    "link up": link("up", ".."),
    "configurations that are pipes": both(*map(pipe, ("mkdocs.yml", "book.toml", "SUMMARY.md", "conf.py"))),
}


def report_of(folder: Path, cases: Mapping[str, Fill]) -> dict[str, Any]:
    """What an ingest tells of a folder with a good page, and a folder below it for each case."""
    page("good.md")(folder)
    for name, fill in cases.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        fill(place)
    arguments = ["ingest", str(folder), "--corpus", "odd", "--no-ocr"]
    said = CliRunner().invoke(app, [*arguments, "--json"])
    report = json.loads(said.stdout.splitlines()[-1])
    assert (said.exit_code, report["failed"]) == (0, [])
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    return report


def test_what_is_odd_is_read(tmp_path: Path) -> None:
    report = report_of(tmp_path, READ)
    corpus = open_corpus("odd")
    held = {scored["id"] for scored in corpus.search_documents(corpus.embed(["words"]), "document", 100)}
    assert {name for name in READ if not any(id_.startswith(f"{name.replace(' ', '-')}/") for id_ in held)} == set()
    assert report["added"] > len(READ)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    report = report_of(tmp_path, NAMED)
    named = " ".join(part["source"] for part in report["skipped"])
    assert [name for name in NAMED if f"{tmp_path}/{name.replace(' ', '-')}/" not in named] == []
    assert report["added"] >= 1


@pytest.mark.parametrize("case", PASSED_OVER)
def test_what_leads_nowhere_is_passed_over(tmp_path: Path, case: str) -> None:
    PASSED_OVER[case](tmp_path)
    assert report_of(tmp_path, {})["added"] == 1
