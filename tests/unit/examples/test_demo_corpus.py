"""Check the demo corpus against its own promises.

The corpus is edited by hand, and an edit that moves an answer or renames a
paragraph would quietly turn a good question into an impossible one. This
reads the pages with the rule by which they are ingested (see README.md) and
fails loudly when a gold component, an answer, a link or a picture is missing.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag, urlparse

from lxml import html

EXAMPLES = Path(__file__).parents[3] / "examples"
CORPUS = EXAMPLES / "corpus"
QUESTIONS = EXAMPLES / "questions.jsonl"

# Readers of real sites meet dead links, so the corpus has two on purpose.
DELIBERATELY_DEAD = {"mars.html -> phobos.html", "venera.html -> pictures-archive.html"}

MODALITY = {"p": "text", "ul": "text", "ol": "text", "table": "table", "figure": "image"}
AT_LEAST = {"pages": 26, "tables": 16, "pictures": 22, "questions": 20}
MOST_PICTURE_BYTES = 2_000_000


@dataclass(frozen=True)
class Component:
    """A paragraph, list, table or picture, with the words a reader can quote."""

    id: str
    modality: str
    title: str
    section: str
    text: str


@dataclass(frozen=True)
class Page:
    """One HTML file, parsed once and asked several times."""

    name: str
    tree: html.HtmlElement

    @property
    def title(self) -> str:
        """What the page calls itself; part of every component's text in a search."""
        return self.tree.findtext(".//title") or ""


def squeeze(text: str) -> str:
    """Line breaks of the source are no part of the text."""
    return " ".join(text.split())


def words_of(element: html.HtmlElement) -> str:
    """Text, caption and cells, kept apart by spaces, and for a figure the alt text."""
    alts = [image.get("alt", "") for image in element.iter("img")]
    return squeeze(" ".join([*alts, *element.itertext()]))


def section_of(element: html.HtmlElement) -> str:
    """The nearest heading before the element."""
    headings = element.xpath("preceding::*[self::h2 or self::h3][1]")
    return squeeze(headings[-1].text_content()) if headings else ""


def read_pages() -> dict[str, Page]:
    """Every page of the corpus by its file name, which is its document id."""
    paths = sorted(CORPUS.glob("*.html"))
    return {path.name: Page(path.name, html.fromstring(path.read_bytes())) for path in paths}


def components_of(page: Page) -> list[Component]:
    """Components of one page in reading order, with the ids that ingestion assigns."""
    found: list[Component] = []
    seen: Counter[str] = Counter()
    for element in page.tree.find(".//main").iter(*MODALITY):
        modality = MODALITY[element.tag]
        seen[modality] += 1
        fragment = element.get("id") or f"{modality}-{seen[modality]}"
        section, text = section_of(element), words_of(element)
        found.append(Component(f"{page.name}#{fragment}", modality, page.title, section, text))
    return found


def read_components(pages: dict[str, Page]) -> dict[str, Component]:
    """All components of all pages by id."""
    return {part.id: part for page in pages.values() for part in components_of(page)}


def read_questions() -> list[dict]:
    """The questions, one JSON object a line."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def faults_of_ids(pages: dict[str, Page]) -> list[str]:
    """Gold ids are stable only if each component carries its own, unique id."""
    faults = []
    for page in pages.values():
        ids = Counter(page.tree.xpath("//@id"))
        faults += [f"{page.name}: id {name!r} occurs twice" for name, n in ids.items() if n > 1]
        bare = [e for e in page.tree.find(".//main").iter(*MODALITY) if not e.get("id")]
        faults += [f"{page.name}: <{e.tag}> without id on line {e.sourceline}" for e in bare]
    return faults


def faults_of_question(question: dict, components: dict[str, Component]) -> list[str]:
    """Each gold group must exist, and an answer must be readable in one of them."""
    name, gold = question["id"], question["gold"]
    if question["tags"].get("unanswerable"):
        return [f"{name}: unanswerable, yet has gold or answers"] if gold or question["answers"] else []
    ids = [part for group in gold for part in group]
    faults = [f"{name}: no component {part}" for part in ids if part not in components]
    texts = [components[part].text.lower() for part in ids if part in components]
    for answer in question["answers"]:
        if not any(answer.lower() in text for text in texts):
            faults.append(f"{name}: {answer!r} is in none of its gold components")
    if not question["answers"] or not all(gold) or question["hops"] != len(gold):
        faults.append(f"{name}: answers, gold groups and hops do not agree")
    return faults


def faults_of_route(question: dict, pages: dict[str, Page]) -> list[str]:
    """A question that asks for backtracking must have no short cut from where it starts.

    Neither the decoy nor any earlier stop but the goal itself may link to the page
    on which the answer stands.
    """
    if not question["tags"].get("backtrack"):
        return []
    documents = [urldefrag(group[0])[0] for group in question["gold"]]
    starts = {question["tags"]["decoy"], *documents} - {documents[-1]}
    hrefs = {start: pages[start].tree.xpath("//main//a/@href") for start in starts}
    short = sorted(s for s, links in hrefs.items() if documents[-1] in {urldefrag(href)[0] for href in links})
    return [f"{question['id']}: {start} links straight to {documents[-1]}" for start in short]


def faults_of_questions(pages: dict[str, Page], components: dict[str, Component]) -> list[str]:
    """Faults of single questions, and ids used twice."""
    questions = read_questions()
    ids = Counter(question["id"] for question in questions)
    faults = [f"question id {name!r} occurs twice" for name, n in ids.items() if n > 1]
    for question in questions:
        faults += faults_of_question(question, components) + faults_of_route(question, pages)
    return faults


def is_dead(target: str, page: Page, pages: dict[str, Page]) -> bool:
    """Whether a link from this page leads to no page or to no element of it."""
    path, fragment = urldefrag(target)
    goal = pages.get(path or page.name)
    return goal is None or bool(fragment and not goal.tree.xpath("//*[@id=$id]", id=fragment))


def faults_of_links(pages: dict[str, Page]) -> list[str]:
    """Internal links resolve, except those listed; and those listed really are dead."""
    dead = set()
    for page in pages.values():
        inner = [href for href in page.tree.xpath("//a/@href") if not urlparse(href).scheme]
        dead |= {f"{page.name} -> {href}" for href in inner if is_dead(href, page, pages)}
    faults = [f"dead link {link}" for link in sorted(dead - DELIBERATELY_DEAD)]
    return faults + [f"listed as dead, but is not: {link}" for link in DELIBERATELY_DEAD - dead]


def faults_of_pictures(pages: dict[str, Page]) -> list[str]:
    """Pages and the picture folder name the same files, and the folder stays small."""
    images = [image for page in pages.values() for image in page.tree.iter("img")]
    shown = {(CORPUS / image.get("src")).resolve() for image in images}
    drawn = {path.resolve() for path in (CORPUS / "pictures").glob("*.png")}
    faults = [f"no picture {path.name}" for path in sorted(shown - drawn)]
    faults += [f"picture shown nowhere: {path.name}" for path in sorted(drawn - shown)]
    faults += [f"no alt text: {image.get('src')}" for image in images if not image.get("alt")]
    size = sum(path.stat().st_size for path in drawn)
    return faults + ([f"pictures take {size} bytes"] if size > MOST_PICTURE_BYTES else [])


def count(pages: dict[str, Page], components: dict[str, Component]) -> dict[str, int]:
    """The figures that README.md and the least numbers above speak of."""
    kinds = Counter(part.modality for part in components.values())
    return {
        "pages": len(pages),
        "components": len(components),
        "paragraphs and lists": kinds["text"],
        "tables": kinds["table"],
        "pictures": kinds["image"],
        "links between pages": sum(
            not urlparse(href).scheme for page in pages.values() for href in page.tree.xpath("//main//a/@href")
        ),
        "questions": len(read_questions()),
    }


def test_the_demo_corpus_keeps_its_promises() -> None:
    pages = read_pages()
    components = read_components(pages)
    counts = count(pages, components)
    faults = [f"only {counts[kind]} {kind}" for kind, least in AT_LEAST.items() if counts[kind] < least]
    faults += faults_of_ids(pages) + faults_of_links(pages) + faults_of_pictures(pages)
    faults += faults_of_questions(pages, components)
    assert not faults, "\n".join(faults)


def test_its_page_says_how_much_there_is() -> None:
    counts = count(pages := read_pages(), read_components(pages))
    said = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"{counts['pages']} linked HTML pages" in said
    assert f"{counts['tables']} tables and {counts['pictures']} pictures" in said
