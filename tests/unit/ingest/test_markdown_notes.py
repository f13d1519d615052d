"""Notes: callouts, links and pictures by name."""

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse


@pytest.fixture
def notes(tmp_path):
    """Write files and parse them as an ingest would: parsed pages by id."""

    def read(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
        return {entry.document.id: entry for source in discover([tmp_path]) for entry in parse(source)}

    return read


def texts(parsed):
    return [(component.section, component.text) for component in parsed.components if component.text]


def links(parsed):
    return [(link.kind, link.target, link.component, link.anchor) for part in parsed.components for link in part.links]


@pytest.mark.parametrize(
    ("written", "section", "text"),
    [
        ("> [!tip]- Fold *me*\n> Body.", "Fold *me*", "Body."),
        ("> [!faq]+\n> Body.", "FAQ", "Body."),
        ("> [!custom-kind] Named\n>\n> Body.", "Named", "Body."),
        ("> [!NOTE]\n> Body.", "Note", "Body."),
        ("> [link] text", "", "[link] text"),
    ],
)
def test_callouts_highlights_and_comments(notes, written, section, text):
    assert texts(notes(A=written)["A.md"]) == [(section, text)]


def test_pictures_of_notes_and_their_attribute_lists(notes, tmp_path, picture):
    for name, color in (("sign", "red"), ("valve", "blue"), ("pump", "green")):
        (tmp_path / "shown").mkdir(exist_ok=True)
        (tmp_path / "shown" / f"{name}.png").write_bytes(picture(color=color))
    told = ("a pump, " * 50).strip()
    page = notes(
        A="![[sign.png#icon|20]] ![[valve.png|The valve]]\n\n"
        f"![Cap](shown/pump.png){{#fig-p .wide\nfig-alt='{told}'}}\n\n```{{.python}}\nx\n```"
    )["A.md"]
    images = [component.image for component in page.components if component.image]
    assert [(bool(image.blob), image.alt or "") for image in images] == [(True, ""), (True, "The valve"), (True, "Cap")]
    assert [part.id for part in page.components][-2:] == ["A.md#fig-p", "A.md#text-1"]
    assert texts(page) == [("", "x")]
