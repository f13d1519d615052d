import base64
import json

import pytest

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.notebook.parse import parse_notebook


@pytest.fixture
def parsed(tmp_path):
    def parse(*cells, **top):
        path = tmp_path / "tides.ipynb"
        path.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": list(cells), **top}))
        return parse_notebook(path, "tides.ipynb", tmp_path)

    return parse


def prose(*lines, **more):
    return {"cell_type": "markdown", "source": [f"{line}\n" for line in lines], **more}


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": [text]}


def shown(**bundle):
    media = {name.replace("_", "/", 1): content for name, content in bundle.items()}
    return {"output_type": "display_data", "data": media}


def test_sections_go_on_from_cell_to_cell_and_locators_name_the_cell(parsed):
    document = parsed(
        prose("# Tides", "", "Twice a day."), prose("## Heights", "| Port | m |", "|--|--|", "| Brest | 7 |"),
        code("high()", stream("\x1b[32m7.1 m\x1b[0m\n")), code("low", shown(text_plain="\x1b[32m0.4 m\x1b[0m")),
    )  # fmt: skip
    assert document.document.title == "Tides"
    assert [(part.modality, part.section, part.locator.cell) for part in document.components] == [
        ("text", "", 1), ("table", "Heights", 2), ("text", "Heights", 3), ("text", "Heights", 3),
        ("text", "Heights", 4), ("text", "Heights", 4),
    ]  # fmt: skip
    assert [part.text for part in document.components[2:]] == ["high()", "7.1 m", "low", "0.4 m"]


def test_tables_and_pictures_of_outputs_and_attachments(parsed, picture):
    encoded = base64.b64encode(picture()).decode()
    document = parsed(
        prose("![The pier](attachment:pier.png)", attachments={"pier.png": {"image/png": encoded}}),
        code("frame", shown(text_html="<table><tr><th>Port</th></tr><tr><td>Brest</td></tr></table>", text_plain="x")),
        code("plot()", shown(image_png=base64.b64encode(picture(30, 30, "blue")).decode(), text_plain="<Figure>")),
    )
    pier, _, frame, _, plot = document.components
    assert (pier.image.alt, pier.image.blob in document.blobs) == ("The pier", True)
    assert (frame.table.header, frame.table.rows) == (("Port",), (("Brest",),))
    assert plot.image.blob in document.blobs


def test_long_prints_are_cut_by_name(parsed):
    document = parsed(code("run()", stream("line\n" * 9_000)))
    assert "printed characters were read" in document.skipped[0].reason
    assert all(len(part.text) < 9_000 for part in document.components)


@pytest.mark.parametrize(
    ("content", "why"), [(b"{", "not JSON"), (b"[]", "no cells"), (b"[" * 100_000, "100 levels deep")]
)
def test_what_is_no_notebook_is_refused(tmp_path, content, why):
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(UnreadableSource, match=why):
        parse_notebook(path, "x.ipynb", tmp_path)
