import pytest
from fixtures.parsed import pictures, shown, tables, targets, texts

from backtrail.ingest.restructured.parse import parse_restructured
from backtrail.state.component import Table


@pytest.fixture
def parsed(tmp_path):
    def parse(text, name="docs/page.rst"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return parse_restructured(path, name, tmp_path / "in")

    return parse


def test_what_a_page_of_sphinx_has(parsed, tmp_path, picture):
    (tmp_path / "in/docs").mkdir(parents=True)
    (tmp_path / "in/docs/lamp.png").write_bytes(picture())
    document = parsed("""
Light
=====

See :doc:`/setup`, :ref:`here`, :class:`~light.Lamp` and :doc:`the tour <tour>`.

.. _here:

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

.. code-block:: python

   lamp.light()

.. py:method:: Lamp.light(hours)

   Lights it.

.. toctree::

   intro
   More <more/index>

.. automodule:: light

.. [1] Since 1880.
""")
    assert document.document.title == "Light"
    assert {part.section for part in document.components} == {"", "Lamp", "Lamp > Note"}
    assert tables(document) == [Table(caption="Oil", header=("Month", "Litre"), rows=(("May", "4"),))]
    assert pictures(document) == [("A lamp", "The lamp in May")]
    assert document.blobs
    said = texts(document)
    assert said[0] == "See /setup, here, Lamp and the tour."
    assert {"Never touch it.", "lamp.light()"} <= set(said)
    assert all(words in " ".join(said) for words in ("Lights it.", "Since 1880."))
    assert {"setup.rst", "docs/tour.rst", "docs/intro.rst", "docs/more/index.rst"} <= dict(targets(document)).keys()
    assert document.left_out == {"directive automodule": 1}


def test_files_come_from_the_folder_only(site, tmp_path):
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "site/docs").mkdir(parents=True)
    (tmp_path / "site/docs/leaving.txt").symlink_to(tmp_path / "secret.txt")
    page = """
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
"""
    read = site(
        {"docs/part.txt": "From the part.", "docs/page.rst": page, "own.rst": "Words.\n\n.. include:: own.rst\n"}
    )
    document = read["docs/page.rst"]
    said = " ".join(texts(document))
    assert said.count("From the part.") == 2
    assert "After." in said
    assert "the secret" not in said
    assert sum(document.left_out.values()) == 2
    assert texts(read["own.rst"]) == ["Words."], "one that includes itself ends"


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


READ = {
    "tested code": (
        ".. testsetup::\n\n   import boat\n\n.. testcode::\n\n   boat.row()\n\n.. testoutput::\n\n   rowed\n",
        [("", "boat.row()"), ("", "rowed")],
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
}


@pytest.mark.parametrize(("text", "found"), READ.values(), ids=READ)
def test_what_is_read_of_a_directive(parsed, text, found):
    assert shown(parsed(text)) == found
