"""Links between the files of a folder, as Word and PowerPoint write them."""

import docx
import pptx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse

WRITTEN = [
    ("../plans/pier.docx", "plans/pier.docx"),
    ("..\\plans\\pier.docx", "plans/pier.docx"),
    ("../plans/old%20pier.docx", "plans/old pier.docx"),
]


def word(path, href=""):
    document = docx.Document()
    paragraph = document.add_paragraph("See ")
    if href:
        id_ = paragraph.part.relate_to(href, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        link = f'<w:hyperlink {nsdecls("w", "r")} r:id="{id_}"><w:r><w:t>the plan</w:t></w:r></w:hyperlink>'
        paragraph._p.append(parse_xml(link))
    document.save(str(path))


def deck(path, href):
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    run = slide.placeholders[1].text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "the plan", href
    presentation.save(str(path))


@pytest.fixture
def link(tmp_path):
    """The one link of a document in a folder of several."""
    for name in ("plans", "letters"):
        (tmp_path / name).mkdir()
    for name in ("pier", "old pier"):
        word(tmp_path / "plans" / f"{name}.docx")
    (tmp_path / "letters" / "notes.txt").write_text("Some notes on the pier.")

    def read(write, name, href):
        write(tmp_path / "letters" / name, href)
        documents = [document for source in discover([tmp_path]) for document in parse(source)]
        (document,) = (one for one in documents if one.document.id == f"letters/{name}")
        (found,) = (link for part in document.components for link in part.links)
        return found

    return read


@pytest.mark.parametrize(("href", "target"), WRITTEN)
def test_files_of_the_folder_are_found_however_they_are_written(link, href, target):
    for write, name in ((word, "a.docx"), (deck, "a.pptx")):
        found = link(write, name, href)
        assert (found.target, found.kind, found.anchor) == (target, "internal", "the plan")


@pytest.mark.parametrize(
    "href",
    [
        "file:///C:/Users/Ann/secret.docx",
        "C:\\Harbour\\plans\\pier.docx",
        "\\\\server\\plans\\pier.docx",
        "https://e.org/plan.docx",
        "mailto:a@e.org",
    ],
)
def test_what_is_not_in_the_folder_leads_out(link, href):
    assert link(word, "a.docx", href).kind == "external"
