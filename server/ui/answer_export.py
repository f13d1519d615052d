"""An answer with its citations, as Markdown and as JSON, for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backtrail.cli.show.answer_lines import shown_text
from backtrail.cli.show.trace_record import Trace
from backtrail.nodes.reading.citation_locations import place, titled
from backtrail.server.ui.answer_markers import cited_quotes, escaped, is_markdown, numbered, structure_text
from backtrail.server.ui.sources import web_address
from backtrail.state.answer import Answer, Citation


def answer_json(trace: Trace) -> dict[str, Any]:
    """Return the question, how it was asked, and the answer with its citations, as the run stores them."""
    values = trace.values
    return {
        "question": values.get("question", ""), "method": trace.method, "corpus": trace.settings.corpus,
        "models": {role: getattr(trace.settings, role) for role in ("planner", "reader", "vlm")},
        "thread": trace.thread, "answer": values["answer"],
    }  # fmt: skip


def answer_markdown(trace: Trace) -> str:
    """Return the question as heading, the answer with numbers of its sources, and the sources with their quotes.

    Text of documents is escaped; that of models is Markdown as it is.
    """
    answer: Answer = trace.values["answer"]
    text, cited = shown_text(answer)
    text = text if is_markdown(answer) else escaped(text)
    marked = numbered(text, {} if answer["abstained"] else cited_quotes(answer))
    heading = "What comes nearest" if answer["abstained"] else "Sources"
    parts = [f"# {_line(trace.values.get('question', ''))}", marked, structure_text(answer)]
    parts += [f"## {heading}", "\n".join(_sources(cited))] if cited else []
    return "\n\n".join(filter(None, parts)) + "\n"


def _sources(cited: Sequence[Citation]) -> Iterator[str]:
    for number, one in enumerate(cited, 1):
        where = ", ".join(part for part in (_file(one), place(one["modality"], one["locator"])) if part)
        url = web_address(str(one["locator"].get("url", "")))
        quote = f": “{_line(one['quote'])}”" if one["quote"].strip() else ""
        yield f"{number}. {_line(titled(one))} ({_line(where)}){quote}{f' <{url}>' if url else ''}"


def _file(one: Mapping[str, Any]) -> str:
    return one["document"] if one["document"] != one["title"] else ""


def _line(text: object) -> str:
    return escaped(" ".join(str(text).split()))
