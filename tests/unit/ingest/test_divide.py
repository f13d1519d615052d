import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.divide import LEAST, LONG, divide
from backtrail.ingest.finish import finish
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Component, Document, Locator

LETTERS = 8_000


def component(number: int, section: str, letters: int = LETTERS, **more) -> Component:
    text = f"{number} " + "x" * (letters - len(str(number)) - 1)
    return Component(id=f"book.md#text-{number}", document="book.md", position=number, modality="text",
                     section=section, text=text, **more)  # fmt: skip


def parsed(*parts: Component, **more) -> ParsedDocument:
    document = Document(id="book.md", title="Rivers", url="https://rivers.example/book", source="/x/book.md")
    return finish(document, list(parts), **more)


def chapters(count: int, each: int = 4) -> list[Component]:
    return [
        component(c * each + p + 1, f"Chapter {c + 1} > Part {p + 1}") for c in range(count) for p in range(each)
    ]  # fmt: skip


def hierarchy(document: ParsedDocument, kind: str) -> list[tuple[str, str]]:
    return [(link.target, link.anchor) for link in document.components[0].links if link.kind == kind]


def test_a_long_document_becomes_one_a_chapter_with_its_contents_first():
    opening = component(99, "", 300)
    skipped = [SkippedPart("book.md", "a page is damaged")]
    documents = divide(parsed(opening, *chapters(5), skipped=skipped, blobs={"a" * 64: b"png"}))
    assert [(one.document.id, one.document.title) for one in documents] == [
        ("book.md", "Rivers"), *((f"book.md/chapter-{n}", f"Rivers: Chapter {n}") for n in range(1, 6)),
    ]  # fmt: skip
    front, contents = documents[0].components
    assert front.text == opening.text
    assert contents.text == "\n".join(f"Chapter {n}" for n in range(1, 6))
    assert [link.target for link in contents.links] == [f"book.md/chapter-{n}" for n in range(1, 6)]
    third = documents[3].components
    assert [(one.id, one.section, one.position) for one in third] == [
        (f"book.md/chapter-3#text-{n + 1}", f"Part {n + 1}", n) for n in range(4)
    ]
    assert {one.document for one in third} == {"book.md/chapter-3"}
    assert all(one.document.source == "/x/book.md" for one in documents)
    assert hierarchy(documents[0], "child") == [(f"book.md/chapter-{n}", f"Chapter {n}") for n in range(1, 6)]
    assert [one.skipped for one in documents] == [skipped, *([[]] * 5)], "what was left out is said once"
    assert not any(one.blobs for one in documents)
    short = parsed(*chapters(2))
    assert divide(short) == [short]


BLOCKS = [component(n, f"Chapter {n}") for n in range(16)]
TITLES = {
    "the only outermost section is no division": (
        [component(n, f"Rivers of the North > Chapter {n}") for n in range(20)],
        [f"Rivers: Rivers of the North > Chapter {n}" for n in range(20)],
    ),
    "short sections stay with the one before": (
        [*BLOCKS[:3], component(77, "Note", LEAST - 1), *BLOCKS[3:]], [f"Rivers: Chapter {n}" for n in range(16)]
    ),
    "many short ones are named from the first to the last": (
        [component(n, f"Version {n}", 1_000) for n in range(130)],
        [f"Rivers: Version {n} – Version {min(n + 19, 129)}" for n in range(0, 130, 20)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "titles"), TITLES.values(), ids=TITLES)
def test_parts_are_called_by_their_sections(parts, titles):
    assert [one.document.title for one in divide(parsed(*parts))] == ["Rivers", *titles]


def test_a_book_of_very_many_chapters_has_a_bounded_number_of_parts_with_ids_of_words():
    assert len(divide(parsed(*(component(n, f"Chapter {n}", 2_000) for n in range(4_000))))) < 1_000
    for name, id_ in {"日本語の章": "日本語の章", "!!!": "section", "A/B: c?": "a-b-c"}.items():
        documents = divide(parsed(*(component(n, name if n < 10 else "Other") for n in range(20))))
        assert documents[1].document.id == f"book.md/{id_}"


def test_a_part_that_is_still_long_is_divided_at_its_own_sections():
    long = [component(n, f"Part I > Chapter {n} > Detail") for n in range(1, 21)]
    documents = divide(parsed(*long, component(30, "Part II"), component(31, "Part II")))
    assert documents[1].document.id == "book.md/part-i"
    assert documents[2].document.title == "Rivers: Part I > Chapter 1"
    assert documents[2].document.id == "book.md/part-i/chapter-1"
    assert hierarchy(documents[2], "parent") == [("book.md/part-i", "Part I")]
    assert documents[-1].document.id == "book.md/part-ii"


def test_places_of_the_file_lead_to_the_sections_that_hold_them_now():
    first, *others = chapters(5)
    named = first.model_copy(update={"locator": Locator(fragment="start")})
    documents = divide(parsed(named, *others, fragments={"start": "book.md#text-1", "deep": "book.md#text-9"}))
    assert documents[0].fragments["start"] == "book.md/chapter-1#start"
    assert documents[0].fragments["deep"] == documents[3].fragments["deep"] == "book.md/chapter-3#text-1"
    assert documents[1].document.url == "https://rivers.example/book#start"


def test_a_text_inserted_in_one_chapter_changes_that_chapter_alone():
    before = {one.document.id: one.content_hash for one in divide(parsed(*chapters(5)))}
    more = sorted([*chapters(5), component(500, "Chapter 2 > Part 4")], key=lambda one: one.section)
    after = {one.document.id: one.content_hash for one in divide(parsed(*more))}
    assert {id_ for id_ in before if before[id_] != after[id_]} == {"book.md/chapter-2"}


@given(st.lists(st.tuples(st.sampled_from(["", "A", "B", "A > 1", "A > 2", "B > 1 > x", "C", "C > 1"]),
                          st.integers(10, 30_000)), min_size=1, max_size=40))  # fmt: skip
def test_nothing_is_lost_and_every_id_is_its_own(layout):
    whole = parsed(*(component(n, section, letters) for n, (section, letters) in enumerate(layout)))
    documents = divide(whole)
    texts = [one.text for document in documents for one in document.components if one.section != "Contents"]
    assert sorted(texts) == sorted(one.text for one in whole.components)
    ids = [one.id for document in documents for one in document.components]
    assert len(ids) == len(set(ids))
    assert len({one.document.id for one in documents}) == len(documents)
    for document in documents:
        assert document.components
        assert all(one.id.startswith(f"{document.document.id}#") for one in document.components)
    if sum(letters for _, letters in layout) <= LONG:
        assert documents == [whole]
