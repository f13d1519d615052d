from __future__ import annotations

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.restructured.parse import parse_restructured


@pytest.fixture
def parsed(tmp_path):
    def parse(text, name="docs/page.rst"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return parse_restructured(path, name, tmp_path / "in")

    return parse


def test_titles_tables_figures_and_notes(parsed, tmp_path, picture):
    (tmp_path / "in/docs").mkdir(parents=True)
    (tmp_path / "in/docs/lamp.png").write_bytes(picture())
    document = parsed("""
Light
=====

Lamp
----

It burns [1]_ well.

.. table:: Oil

   ======  =====
   Month   Litre
   ======  =====
   May     4
   ======  =====

.. figure:: lamp.png
   :alt: A lamp

   The lamp in May

.. note:: Never touch it.

.. [1] Since 1880.
""")
    assert document.document.title == "Light"
    assert {part.section for part in document.components} == {"Lamp", "Lamp > Note"}
    table = next(part.table for part in document.components if part.table)
    assert (table.caption, table.header, table.rows) == ("Oil", ("Month", "Litre"), (("May", "4"),))
    image = next(part.image for part in document.components if part.image)
    assert (image.caption, image.alt, image.blob in document.blobs) == ("The lamp in May", "A lamp", True)
    said = " ".join(part.text or "" for part in document.components)
    assert "Never touch it." in said
    assert "Since 1880." in said


def test_what_sphinx_adds_gives_what_it_holds(parsed):
    document = parsed("""
Guide
=====

See :doc:`/setup`, :ref:`here`, :class:`~light.Lamp` and :doc:`the tour <tour>`.

.. versionadded:: 2.1
   It has a lens.

.. code-block:: python

   lamp.light()

.. py:method:: Lamp.light(hours)

   Lights it.

.. toctree::
   :maxdepth: 2

   intro
   More <more/index>

.. _here:

Place
-----

.. automodule:: light

The end.
""")
    said = [part.text for part in document.components]
    assert said[0] == "See /setup, here, Lamp and the tour."
    assert "lamp.light()" in said
    assert any("2.1" in text and "lens" in text for text in (said[1] + said[2], *said))
    assert "Lights it." in " ".join(said)
    links = {(link.target, link.component) for part in document.components for link in part.links}
    assert {
        ("setup.rst", None),
        ("docs/tour.rst", None),
        ("docs/intro.rst", None),
        ("docs/more/index.rst", None),
    } <= links
    assert document.left_out == {"directive automodule": 1}


def test_files_come_from_the_folder_only(parsed, tmp_path):
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "in/docs").mkdir(parents=True)
    (tmp_path / "in/docs/part.txt").write_text("From the part.")
    (tmp_path / "in/docs/leaving.txt").symlink_to(tmp_path / "secret.txt")
    document = parsed("""
.. include:: part.txt

.. include:: ../../secret.txt

.. include:: leaving.txt

.. literalinclude:: /docs/part.txt

.. csv-table::
   :file: ../../secret.txt

.. raw:: html
   :file: ../../secret.txt

.. raw:: html

   <p>raw words</p>

After.
""")
    said = " ".join(part.text or "" for part in document.components)
    assert said.count("From the part.") == 2
    assert "After." in said
    assert "the secret" not in said
    assert sum(document.left_out.values()) == 2


def test_a_file_that_includes_itself_ends(parsed):
    document = parsed("Words.\n\n.. include:: page.rst\n")
    assert document.components[0].text == "Words."


def test_labels_of_other_pages_lead_to_them_and_are_called_like_their_heading(tmp_path):
    pages = {
        "index.rst": "Start\n=====\n\nSee :ref:`pump_label`, :ref:`here <Pump_Label>`, :ref:`own`, :ref:`genindex`.\n\n"
        ".. _own:\n\nOwn part\n--------\n\nText.\n",
        "other.rst": "Other\n=====\n\n.. _first:\n.. _pump_label:\n\nThe pumps\n---------\n\nLow.\n",
        "note.md": "# Note\n\n{ref}`the pumps <pump_label>`, [first](#first)\n",
    }
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    parsed = [one for source in discover([tmp_path]) for one in parse(source)]
    read = {one.document.id: one for one in parsed if isinstance(one, ParsedDocument)}
    index, note = read["index.rst"].components[0], read["note.md"].components[0]
    assert index.text == "See The pumps, here, Own part, genindex."
    written = [link for link in index.links if link.kind == "internal"]
    assert [(link.target, link.component) for link in written] == [
        ("other.rst", "pump-label"), ("other.rst", "pump-label"), ("index.rst", "own"),
    ]  # fmt: skip
    assert [(link.target, link.component) for link in note.links if link.kind == "internal"] == [
        ("other.rst", "pump-label"), ("other.rst", "first"),
    ]  # fmt: skip
    assert {"pump-label", "first"} <= read["other.rst"].fragments.keys()


def test_directives_of_extensions_hold_code(tmp_path):
    (tmp_path / "a.rst").write_text("A\n=\n\n.. click:run::\n\n    def echo(x):\n\n        pass\n")
    parsed = parse_restructured(tmp_path / "a.rst", "a.rst", tmp_path)
    assert [one.text for one in parsed.components] == ["def echo(x):\n\n    pass"]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("page.md", "# Lamp\n\n```{versionadded} 5.0\n```\n\n```{versionchanged} 8.2\nNow it dims.\n```\n"),
        ("page.rst", "Lamp\n====\n\n.. versionadded:: 5.0\n\n.. versionchanged:: 8.2\n   Now it dims.\n"),
    ],
)
def test_a_note_on_a_version_says_what_happened_in_it(name, body, tmp_path):
    (tmp_path / name).write_text(body)
    parse = parse_markdown if name.endswith(".md") else parse_restructured
    said = [component.text for component in parse(tmp_path / name, name, tmp_path).components]
    assert " ".join(said) == "Added in version 5.0 Changed in version 8.2 Now it dims."


def test_fields_have_one_colon(parsed):
    document = parsed(":Specifies: What to do.\n:Default value: None.\n\nText.\n\nTerm:\n  Said.\n")
    assert [part.text for part in document.components][-2:] == ["Text.", "Term: Said."]
    assert "Specifies: What to do." in str(document.components[0].text)


def test_tabs_head_what_they_hold(parsed):
    document = parsed("""
A
=

.. tab-set::

   .. tab-item:: On a lake
      :sync: lake

      Row.

   .. tab-item:: At sea

      Sail.
""")
    assert [(part.section, part.text) for part in document.components] == [
        ("On a lake", "Row."), ("At sea", "Sail."),
    ]  # fmt: skip


def test_a_cell_across_columns_without_names_is_said_once(parsed):
    document = parsed("""
A
=

+---------+--------+------+
| Power   | Green  | Good |
|         +--------+------+
|         | None at all   |
+---------+---------------+
| Whatever the radio does |
+-------------------------+
""")
    (table,) = [part.table for part in document.components]
    assert table.rows == (
        ("Power", "Green", "Good"), ("Power", "None at all", ""), ("Whatever the radio does",) * 3,
    )  # fmt: skip
