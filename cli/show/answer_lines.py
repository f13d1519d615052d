"""Lines for the terminal: an answer, its citations and its cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from backtrail.nodes.reading.citation_locations import also_at, place, titled
from backtrail.nodes.streaming.answer_message import ALSO_ASKED
from backtrail.state.answer import Answer, Citation
from backtrail.state.answer_structure import structure_markdown, structure_of
from backtrail.state.coverage import complete_in_words
from backtrail.state.offline.extract import Level
from backtrail.state.usage import STAGES, Charge, add_charges, total_usage

MARKS = {
    "own": "from the model's own knowledge; the evidence does not say so",
    "both": "partly from the model's own knowledge; the evidence is cited",
    "quotes": "quoted by rules, because the model failed",
}
QUOTE_LINES = 3
"""Lines of a quoted table that are shown; --json has all of them."""
LEVEL_STYLES: Mapping[Level, str] = {"low": "red", "medium": "yellow", "high": "green"}


def show_answer(values: Mapping[str, Any], console: Console) -> None:
    """Print the answer with its citations."""
    answer: Answer | None = values.get("answer")
    if answer is None:
        console.print("There is no answer yet.", style="yellow")
        return
    calibrated = answer.get("calibrated")
    text, cited = shown_text(answer)
    console.print(Text(text, style="yellow" if answer["abstained"] else "bold"), soft_wrap=True)
    if structure := structure_markdown(structure_of(answer)):
        console.print(Text(f"\n{structure}\n"), soft_wrap=True)
    if calibrated and not answer["abstained"]:
        sure = f"confidence: {calibrated['level']} ({calibrated['probability']:.2f}), read without a model"
        console.print(Text(sure, LEVEL_STYLES[calibrated["level"]]), soft_wrap=True)
    if mark := MARKS.get(answer.get("grounds", "")):
        console.print(mark, style="dim")
    if (complete := answer.get("complete")) and (words := complete_in_words(complete)):
        console.print(Text(words, "dim"), soft_wrap=True)
    if missing := answer.get("not_found"):
        console.print(Text(f"not found in the cited sources: {'; '.join(missing)}", "yellow"), soft_wrap=True)
    for number, citation in enumerate(cited, 1):
        for line in citation_lines(number, citation):
            console.print(line, soft_wrap=True)
    for number, question in enumerate(values.get("other_questions") or []):
        if not number:
            console.print(ALSO_ASKED, style="yellow", soft_wrap=True)
        console.print(Text(f"  {question}"), soft_wrap=True)


def shown_text(answer: Answer) -> tuple[str, Sequence[Citation]]:
    """Return the text and citations of an answer; of a withheld one, the reason and the nearest quotes."""
    if answer["abstained"] and (quotes := answer.get("quotes")):
        return answer["text"].partition("\n")[0], quotes
    return answer["text"], answer["citations"]


def sure(answer: Answer) -> str:
    """Return the confidence for a table: level and probability if read by rules, "–" if nothing was read."""
    calibrated = answer.get("calibrated")
    if answer.get("grounds") == "quotes" or (answer["abstained"] and not (calibrated and answer.get("quotes"))):
        return "–"
    withheld = ", withheld" if answer["abstained"] else ""
    if calibrated:
        return f"{calibrated['level']} ({calibrated['probability']:.2f}){withheld}"
    return f"{answer['confidence']:.2f}"


def citation_lines(number: int, citation: Citation) -> Iterator[Text]:
    """Yield the title and locator of a citation, its quote, and other places with the same text."""
    head = Text.assemble((f"  [{number}] ", "cyan"), (citation["title"], "bold"))
    head.append(titled(citation)[len(citation["title"]) :])
    head.append(f"  {place(citation['modality'], citation['locator'])}", "dim")
    yield head
    if citation["quote"]:
        lines = f"“{citation['quote']}”".split("\n")
        shown = (
            lines
            if len(lines) <= QUOTE_LINES + 1
            else [*lines[:QUOTE_LINES], f"… {len(lines) - QUOTE_LINES} more rows”"]
        )
        for line in shown:
            yield Text(f"      {line}", "italic")
    if elsewhere := also_at(citation):
        yield Text(f"      also at {elsewhere}", "dim")


def by_node(ledger: Mapping[str, Charge]) -> dict[str, Charge]:
    """Sum the charges of a ledger by node, in order of first use."""
    nodes: dict[str, list[Charge]] = {}
    for key, charge in ledger.items():
        nodes.setdefault(key.partition("@")[0], []).append(charge)
    return {node: add_charges(charges) for node, charges in nodes.items()}


def cost_line(ledger: Mapping[str, Charge]) -> str:
    """Return the calls, tokens and price of a run in one line; empty if no model was called."""
    total = total_usage(dict(ledger))
    if not total["calls"]:
        return ""
    tokens = f"{total['input_tokens']:,} input and {total['output_tokens']:,} output tokens"
    return f"{total['calls']} model calls, {tokens}, ${total['cost_usd']:.4f}"


def cost_table(ledger: Mapping[str, Charge]) -> Table:
    """Return a table with the usage of each node and the total."""
    table = Table(box=None, pad_edge=False, header_style="dim", style="dim")
    table.add_column("")
    stages = [stage for stage in STAGES if any(charge["seconds"].get(stage) for charge in ledger.values())]
    for heading in ("calls", "tokens in", "out", "USD", *(f"{stage} s" for stage in stages)):
        table.add_column(heading, justify="right")
    rows = {
        node: charge for node, charge in by_node(ledger).items() if charge["calls"] or any(charge["seconds"].values())
    }
    for node, charge in {**rows, "total": total_usage(dict(ledger))}.items():
        table.add_row(
            node,
            str(charge["calls"]),
            str(charge["input_tokens"]),
            str(charge["output_tokens"]),
            f"{charge['cost_usd']:.4f}",
            *(f"{charge['seconds'].get(stage, 0.0):.2f}" for stage in stages),
            style="bold" if node == "total" else None,
        )
    return table
