"""Answers as Python objects, shown as HTML in notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

Confidence = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Citation:
    """The paragraph, table row or picture that an answer uses.

    Args:
        title: title of the document.
        section: headings above the component, joined by " › ".
        modality: "text", "table" or "image".
        quote: the cited sentence, row or caption.
        document: id of the document.
        component: id of the component.
        locator: position within the component and file: ``page``, ``row``, ``sentence``, ``box`` and others; rows and
            sentences count from 0.
    """

    title: str
    section: str
    modality: str
    quote: str
    document: str
    component: str
    locator: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        from backtrail.nodes.reading.citation_locations import quoted

        cited: Any = vars(self)
        return quoted(cited)


@dataclass(frozen=True)
class Trace:
    """The stored run behind an answer.

    Args:
        thread: id of the conversation. ``backtrail trace THREAD`` prints the run, ``ask(thread=…)`` continues.
        method: name of the method.
        records: history of the run, as JSON values, by kind: for FiF ``subqueries`` and ``hops``.
        failures: failed calls and what the run did about each.
        usage: ``calls``, ``input_tokens``, ``output_tokens``, ``cost_usd`` and ``seconds`` by stage.
        stop_reason: why the run stopped.
    """

    thread: str
    method: str
    records: Mapping[str, Any] = field(default_factory=dict, repr=False)
    failures: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    usage: Mapping[str, Any] = field(default_factory=dict, repr=False)
    stop_reason: str = ""


@dataclass(frozen=True)
class Answer:
    """The answer to a question, or an abstention.

    Args:
        question: the question.
        text: the answer in Markdown; an abstention names what was not found.
        short: the answer alone: a span, a number, a list or a letter. Empty for an abstention.
        citations: what the answer uses, in the order of its numbers.
        quotes: passages that most likely contain the answer, if no model reads.
        abstained: whether there is no answer.
        confidence: "high", "medium" or "low", calibrated, if no model reads; else None.
        coverage: what was counted, each with ``what``, ``read``, ``total``, ``unreadable`` and ``left_out``.
        complete: ``value`` ("yes", "no" or "unknown") and ``reason``; None where nothing asks for all.
        items: of a list, each with ``text`` and ``citations``: numbers into the answer's citations, from 1.
        table: of a comparison, ``columns`` and ``rows`` of cells; an empty cell lists what was ``searched`` for it.
        sections: of an account or summary, each with ``heading``, ``text`` and ``citations``.
        cut: what of them was too long and is left out, in words.
        trace: the stored run.
    """

    question: str
    text: str
    short: str
    citations: Sequence[Citation]
    quotes: Sequence[Citation]
    abstained: bool
    confidence: Confidence | None
    trace: Trace
    coverage: Sequence[Mapping[str, Any]] = ()
    complete: Mapping[str, str] | None = None
    items: Sequence[Mapping[str, Any]] = ()
    table: Mapping[str, Any] | None = None
    sections: Sequence[Mapping[str, Any]] = ()
    cut: str = ""

    def __str__(self) -> str:
        return "\n\n".join(filter(None, (self.text, self._structure())))

    def _structure(self) -> str:
        from backtrail.state.answer_structure import structure_markdown

        held: Any = {key: getattr(self, key) for key in ("items", "table", "sections", "cut") if getattr(self, key)}
        return structure_markdown(held)

    def _repr_html_(self) -> str:
        shown = self.citations or self.quotes
        heading = "Sources" if self.citations else "Nearest passages"
        sure = f"<p><small>confidence: {self.confidence}, without a model</small></p>" if self.confidence else ""
        listed = "".join(f"<li>{_citation_html(citation)}</li>" for citation in shown)
        sources = f"<details open><summary>{heading}</summary><ol>{listed}</ol></details>" if shown else ""
        text = "<br>".join(escape(line) for line in self.text.splitlines())
        body = f"<p><em>No answer.</em> {text}</p>" if self.abstained else _markdown_html(str(self))
        spent = f"{self.trace.method} · {self.trace.usage.get('calls', 0)} model calls · thread {self.trace.thread}"
        return f"<div>{body}{sure}{sources}<p><small>{escape(spent)}</small></p></div>"


def _markdown_html(text: str) -> str:
    """Render a model's Markdown without HTML, links and pictures of its own."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return reader.disable(["link", "image", "autolink", "reference"]).render(text)


def _citation_html(citation: Citation) -> str:
    where = " › ".join(filter(None, (citation.title, citation.section)))
    return f"{escape(where)} <small>({escape(citation.modality)})</small><br><q>{escape(citation.quote)}</q>"


def answer_of(thread: str, method: str, values: Mapping[str, Any]) -> Answer:
    """Convert the final state of a run to an answer."""
    from backtrail.graphs.methods import find_method
    from backtrail.state.usage import total_usage

    answer: Mapping[str, Any] = values["answer"]
    calibrated = answer.get("calibrated")
    trace = Trace(
        thread, method,
        records={key: values.get(key, []) for key in find_method(method).records},
        failures=values.get("failures", []),
        usage=total_usage(values.get("usage", {})),
        stop_reason=str(values.get("stop_reason") or ""),
    )  # fmt: skip
    return Answer(
        question=str(values.get("question", "")),
        text=answer["text"],
        short="" if answer["abstained"] else answer.get("short") or answer["text"],
        citations=[_citation(one) for one in answer["citations"]],
        quotes=[_citation(one) for one in answer.get("quotes", ())],
        abstained=answer["abstained"],
        confidence=calibrated["level"] if calibrated and not answer["abstained"] else None,
        trace=trace,
        coverage=answer.get("coverage", ()),
        complete=answer.get("complete"),
        items=answer.get("items", ()),
        table=answer.get("table"),
        sections=answer.get("sections", ()),
        cut=answer.get("cut", ""),
    )


def _citation(answer: Mapping[str, Any]) -> Citation:
    return Citation(**{key: answer[key] for key in Citation.__annotations__})
