"""Links between the files of a folder, as Word writes them."""

import docx
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


@pytest.fixture
def link(tmp_path):
    """The one link of a document in a folder of several."""
    for name in ("plans", "letters"):
        (tmp_path / name).mkdir()
    for name in ("pier", "old pier"):
        word(tmp_path / "plans" / f"{name}.docx")
    (tmp_path / "letters" / "notes.txt").write_text("Some notes on the pier.")

    def read(href):
        word(tmp_path / "letters" / "a.docx", href)
        documents = [document for source in discover([tmp_path]) for document in parse(source)]
        (document,) = (one for one in documents if one.document.id == "letters/a.docx")
        (found,) = (link for part in document.components for link in part.links)
        return found

    return read


@pytest.mark.parametrize(("href", "target"), WRITTEN)
def test_files_of_the_folder_are_found_however_they_are_written(link, href, target):
    found = link(href)
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
    assert link(href).kind == "external"
