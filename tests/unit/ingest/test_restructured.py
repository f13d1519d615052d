from __future__ import annotations

import pytest
from fixtures.parsed import shown, tables, targets, texts

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
    (table,) = tables(document)
    assert (table.caption, table.header, table.rows) == ("Oil", ("Month", "Litre"), (("May", "4"),))
    image = next(part.image for part in document.components if part.image)
    assert (image.caption, image.alt, image.blob in document.blobs) == ("The lamp in May", "A lamp", True)
    said = " ".join(texts(document))
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
    said = texts(document)
    assert said[0] == "See /setup, here, Lamp and the tour."
    assert "lamp.light()" in said
    assert any("2.1" in text and "lens" in text for text in (said[1] + said[2], *said))
    assert "Lights it." in " ".join(said)
    assert {"setup.rst", "docs/tour.rst", "docs/intro.rst", "docs/more/index.rst"} <= dict(targets(document)).keys()
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
    said = " ".join(texts(document))
    assert said.count("From the part.") == 2
    assert "After." in said
    assert "the secret" not in said
    assert sum(document.left_out.values()) == 2


def test_a_file_that_includes_itself_ends(parsed):
    assert set(texts(parsed("Words.\n\n.. include:: page.rst\n"))) == {"Words."}


def test_labels_of_other_pages_lead_to_them_and_are_called_like_their_heading(site):
    read = site(
        {
            "index.rst": "Start\n=====\n\nSee :ref:`pump_label`, :ref:`here <Pump_Label>`, :ref:`own`, "
            ":ref:`genindex`.\n\n.. _own:\n\nOwn part\n--------\n\nText.\n",
            "other.rst": "Other\n=====\n\n.. _first:\n.. _pump_label:\n\nThe pumps\n---------\n\nLow.\n",
            "note.md": "# Note\n\n{ref}`the pumps <pump_label>`, [first](#first)\n",
        }
    )
    assert texts(read["index.rst"])[0] == "See The pumps, here, Own part, genindex."
    pump = ("other.rst", "pump-label")
    assert targets(read["index.rst"])[:3] == [pump, pump, ("index.rst", "own")]
    assert targets(read["note.md"])[:2] == [pump, ("other.rst", "first")]
    assert {"pump-label", "first"} <= read["other.rst"].fragments.keys()


GRID = """
+---------+--------+------+
| Power   | Green  | Good |
|         +--------+------+
|         | None at all   |
+---------+---------------+
| Whatever the radio does |
+-------------------------+
"""
READ = {
    "code of an extension": (
        "A\n=\n\n.. click:run::\n\n    def echo(x):\n\n        pass\n",
        [("", "def echo(x):\n\n    pass")],
    ),
    "tabs": (
        "A\n=\n\n.. tab-set::\n\n   .. tab-item:: On a lake\n      :sync: lake\n\n      Row.\n\n"
        "   .. tab-item:: At sea\n\n      Sail.\n",
        [("On a lake", "Row."), ("At sea", "Sail.")],
    ),
    "fields": (
        ":Specifies: What to do.\n:Default value: None.\n\nText.\n\nTerm:\n  Said.\n",
        [("", "Specifies: What to do.\nDefault value: None."), ("", "Text."), ("", "Term: Said.")],
    ),
    "a cell across columns": (
        f"A\n=\n{GRID}",
        [("", (("",) * 3, ("Power", "Green", "Good"), ("Power", "None at all", ""), ("Whatever the radio does",) * 3))],
    ),
}


@pytest.mark.parametrize(("text", "found"), READ.values(), ids=READ)
def test_what_is_read_of_a_directive(parsed, text, found):
    assert shown(parsed(text)) == found


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("page.md", "# Lamp\n\n```{versionadded} 5.0\n```\n\n```{versionchanged} 8.2\nNow it dims.\n```\n"),
        ("page.rst", "Lamp\n====\n\n.. versionadded:: 5.0\n\n.. versionchanged:: 8.2\n   Now it dims.\n"),
    ],
)
def test_a_note_on_a_version_says_what_happened_in_it(site, name, body):
    assert " ".join(texts(site({name: body})[name])) == "Added in version 5.0 Changed in version 8.2 Now it dims."
