"""Pages, tables and attributes of growing size, which no plain text of one shape covers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from backtrail.ingest.html.boilerplate import mark_boilerplate
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.short_block_boxes import mark_entries
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.rules.reader.answer import answer
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from campaigns.growth.exponents import Call
from campaigns.growth.targets import Target

ELEMENTS = [
    "<p class=caption>x y</p>",
    "<i></i><sup>2</sup>x<sub>i</sub>",
    "<img srcset='a 1x, b 2x' class=tex>",
    "<noscript><img src=a></noscript>",
    "<svg><text>one two three</text></svg>",
    "<span class=MathJax>x</span><math><mi>x</mi></math>",
    "<div class=nav><a href=x>edit this page</a></div>",
    "<details><summary>x</summary></details><p class=admonition-title>x</p>",
    "<li class=gallerybox><img src=a><div class=gallerytext>c</div></li>",
    "<table><tr><td class=linenos>1<td>x</table>",
    "<footer><p>a@b.org or (312) 555-0199</p></footer><div>Lost<h1>16</h1>",
    "<div hidden id='S:1'>x</div><template id='B:1'></template><div class='placeholder'></div><!-- <p>x ",
    "<div class=note><table><tr><td>•<td>x</table></div><div><div>10:00</div><div>Room</div></div>",
    "<pre><button>c</button>xxxxxxxx</pre>",
]
ATTRIBUTES = ["b{}='' ", "b{}='>' ", "b{} ", "b{}=<a"]


def targets() -> Iterator[Target]:
    """Yield all structures."""
    for element in ELEMENTS:
        yield Target(f"page of {element}", partial(_page, element), scale=4)
    for attribute in ATTRIBUTES:
        for before in ("", "<?xml version='1.0'?><!DOCTYPE html>"):
            yield Target(f"tag with attributes {attribute} after {before!r}", partial(_tag, attribute, before), scale=4)
    yield Target("answer from a table of results", _results, scale=0.04)


def _read(markup: str) -> Call:
    def call() -> None:
        tree, _ = parse_markup(markup)
        body = tree.find("body")
        mark_boilerplate(body)
        mark_entries(body)
        PageWalker("", LinkTargets("")).walk(body)

    return call


def _page(element: str, length: int) -> Call:
    return _read(f"<body><div><h1>t</h1>{element * (length // len(element))}<img src=z></div></body>")


def _tag(attribute: str, before: str, length: int) -> Call:
    many = "".join(attribute.format(number) for number in range(length // len(attribute)))
    return _read(f"{before}<html><body><p>first</p><p {many}>&nbsp;last</p></body></html>")


def _results(count: int) -> Call:
    rows = [[f"Driver {n}", str(n % 40), f"Team {n % 7} Racing", f"{n} laps"] for n in range(count)]
    inputs = _asked("Which team did the driver in position 4 with 44 laps drive for?", "Driver Pos Team Laps", rows)
    return lambda: answer(inputs)


def _asked(question: str, header: str, rows: list[list[str]]) -> AnswerInputs:
    table = EvidenceText(
        id="t", modality="table", title="Stores", score=0.7, header=header.split(), rows=rows, sentences=[]
    )
    return AnswerInputs(question=question, evidence=[table])
