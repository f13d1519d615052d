"""Scripted model: gives both systems the same knowledge for the same contents, in their format.

Backtrail's offline rules extract the knowledge of a text, without names that merely occur in it, as neither prompt
requests those. The model knows the pages, so that it can read a chunk that begins in the middle of a table.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from side_by_side.pages import Line, Page, lines

from backtrail.rules.knowledge.chunk_replies import as_reply
from backtrail.rules.knowledge.entity_names import is_value
from backtrail.rules.knowledge.extract_knowledge import read_chunk
from backtrail.rules.table import RULES
from backtrail.state.hm_rag.decisions import JudgeInputs, KeywordsInputs, SummariseInputs
from backtrail.state.knowledge.chunks import Anchor, ExtractedKnowledge, KnowledgeChunk, NumberedRow
from backtrail.state.knowledge.decisions import SummarizeDescriptionsInputs
from backtrail.state.knowledge.replies import KnowledgeReply
from backtrail.tools.knowledge.merge import PASSING

ANSWER = "What the question asks for is stated in the context."
DONE, FIELD = "<|COMPLETE|>", "<|#|>"
_FIELDS = {
    "Section": "section",
    "Text": "text",
    "Name of the picture": "name",
    "Caption": "caption",
    "Seen in the picture": "objects",
    "Header": "header",
}


class ScriptedModel:
    """Answers LightRAG 1.5 and Backtrail.

    Attributes:
        cut_off: number of records beyond LightRAG's limits on one reply.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self.cut_off = 0
        self._lines: dict[str, list[tuple[Page, Line]]] = defaultdict(list)
        for page in pages:
            for line in lines(page):
                self._lines[line.text.strip()].append((page, line))

    def reply(self, request: Mapping[str, Any]) -> tuple[str, str]:
        """Return the kind of a request, and the reply. Raises ValueError for an unknown one."""
        schema = (request.get("response_format") or {}).get("json_schema")
        texts = [message["content"] or "" for message in request["messages"]]
        if schema:
            return _backtrail(schema["name"], texts[-1])
        return self._lightrag(texts)

    def _lightrag(self, texts: list[str]) -> tuple[str, str]:
        first = texts[0]
        if "responsible for extracting entities and relationships" in first:
            return self._extract(texts)
        if "proficient in data curation and synthesis" in first:
            return "summarise", _lightrag_summary(first)
        if "expert keyword extractor" in first:
            question = _between(first, "User Query: ", "\n\n---Output---")
            lists = RULES["hm_rag_keywords"](KeywordsInputs(question=question)).model_dump()
            return "keywords", json.dumps(
                {"high_level_keywords": lists["high_level"], "low_level_keywords": lists["low_level"]}
            )
        if "expert AI assistant specializing in synthesizing information" in first:
            return "answer", f"{ANSWER}\n\n### References\n\n- [1] Document"
        raise ValueError(f"no script for a prompt that begins {first[:200]!r}")

    def _extract(self, texts: list[str]) -> tuple[str, str]:
        chunk = _between(texts[1], "---Input Text---\n```\n", "\n```\n\n---Output---")
        knowledge = [_says(part) for part in self._parts(chunk)]
        most, most_entities = map(int, re.findall(r"at most (\d+)", texts[1])[:2])
        replies, left = _records(knowledge, most, most_entities)
        if len(texts) == 2:
            return "extract", replies[0]
        self.cut_off += left
        return "glean", replies[1]

    def _parts(self, chunk: str) -> Iterator[KnowledgeChunk]:
        """Yield the parts of a chunk for the rules, by component, with the text that the chunk shows of it."""
        shown = [text.strip() for text in chunk.split("\n") if text.strip()]
        votes = Counter(id(page) for text in shown for page, _ in self._lines.get(text, ()))
        if not votes:
            yield KnowledgeChunk(title="", modality="text", text=" ".join(shown))
            return
        chosen = votes.most_common(1)[0][0]
        page = next(page for text in shown for page, _ in self._lines.get(text, ()) if id(page) == chosen)
        rows: dict[str, list[int]] = defaultdict(list)
        words: dict[str, str] = {}
        for text in shown:
            for one, row in _where(text, page):
                if row is None:
                    words[one["id"]] = text
                elif row not in rows[one["id"]]:
                    rows[one["id"]].append(row)
                    break
        for one in page.components:
            if one["id"] in words or one["id"] in rows:
                yield _inputs(page, one, words.get(one["id"], ""), rows.get(one["id"], []))


def _says(chunk: KnowledgeChunk) -> ExtractedKnowledge:
    knowledge = read_chunk(chunk)
    stated = [triplet for triplet in knowledge.triplets if triplet.weight >= PASSING]
    return knowledge.model_copy(update={"triplets": stated})


def _where(text: str, page: Page) -> Iterator[tuple[dict[str, Any], int | None]]:
    """Yield components (and rows) of the lines of a page; a piece of prose means its whole component."""
    for line in lines(page):
        if line.component is None:
            continue
        same = line.text.strip() == text
        if same or (line.component["modality"] == "text" and len(text) > 20 and text in line.text):
            yield line.component, line.row


def _inputs(page: Page, one: dict[str, Any], text: str, rows: list[int]) -> KnowledgeChunk:
    links = [(link.get("anchor") or "", link.get("row")) for link in one.get("links", ())]
    common = {"title": page.title, "section": one["section"], "modality": one["modality"]}
    if one["modality"] == "table":
        table = one["table"]
        return KnowledgeChunk(
            **common, caption=table["caption"], header=table["header"],
            rows=[NumberedRow(number=row, cells=table["rows"][row]) for row in rows],
            anchors=[Anchor(text=anchor, row=row) for anchor, row in dict.fromkeys(links) if anchor and row in rows],
        )  # fmt: skip
    anchors = [Anchor(text=anchor) for anchor in dict.fromkeys(anchor for anchor, _ in links) if anchor]
    if one["modality"] == "image":
        image = one["image"]
        return KnowledgeChunk(
            **common, name=image.get("title") or "", caption=image.get("caption") or "",
            text=image.get("alt") or "", anchors=anchors,
        )  # fmt: skip
    return KnowledgeChunk(**common, text=text, anchors=[one for one in anchors if one.text in text])


def _records(read: Sequence[ExtractedKnowledge], most: int, most_entities: int) -> tuple[list[str], int]:
    """Return two replies, the second with records beyond the limit of the first, and the number of those beyond both.

    Numbers and dates are no entities in LightRAG: their relations go into the description of the head.
    """
    kinds: dict[str, str] = {}
    described: dict[str, dict[str, None]] = defaultdict(dict)
    relations: dict[tuple[str, str, str], list[str]] = {}
    for entity in (entity for one in read for entity in one.entities):
        kinds.setdefault(entity.name, entity.kind)
        if entity.description:
            described[entity.name][entity.description] = None
    for triplet in (triplet for one in read for triplet in one.triplets):
        kinds.setdefault(triplet.head, "")
        if is_value(triplet.tail):
            described[triplet.head][triplet.text] = None
            continue
        kinds.setdefault(triplet.tail, "")
        keywords = ", ".join(triplet.keywords) or triplet.relation
        relations[triplet.head, triplet.tail, triplet.text] = [triplet.head, triplet.tail, keywords, triplet.text]
    for head, tail, text in relations:
        for name in (head, tail):
            if not described[name]:
                described[name][text] = None
    entities = [[name, _type(kind), " ".join(described[name]) or name] for name, kind in kinds.items()]
    waiting = list(relations.values())
    replies: list[str] = []
    given: set[str] = set()
    for turn in range(2):
        some = entities[turn * most_entities : (turn + 1) * most_entities]
        given |= {name for name, _, _ in some}
        fit = [one for one in waiting if one[0] in given and one[1] in given][: most - len(some)]
        waiting = [one for one in waiting if one not in fit]
        rows = [("entity", *row) for row in some] + [("relation", *row) for row in fit]
        replies.append("\n".join([*(FIELD.join(" ".join(cell.split()) for cell in row) for row in rows), DONE]))
    return replies, max(0, len(entities) - 2 * most_entities) + len(waiting)


def _type(kind: str) -> str:
    return re.sub(r"[^\w ]", "", kind).strip() or "Other"


def _lightrag_summary(prompt: str) -> str:
    name = re.search(r"^\w+ Name: (.*)$", prompt, re.M)
    listed = _between(prompt, "Description List:\n\n```\n", "\n```\n\n---Output---")
    texts = [next(iter(json.loads(row).values())) for row in listed.splitlines() if row.strip()]
    inputs = SummarizeDescriptionsInputs(name=name.group(1) if name else "", descriptions=texts)
    return RULES["summarize_descriptions"](inputs).model_dump()["summary"]


def _between(text: str, start: str, end: str) -> str:
    """Return the last passage between two marks."""
    _, found, rest = text.rpartition(start)
    passage, closed, _ = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"no {start!r} … {end!r} in a prompt that begins {text[:200]!r}")
    return passage


def _backtrail(decision: str, prompt: str) -> tuple[str, str]:
    shown = _fenced(prompt)
    if decision == "extract_knowledge":
        chunks = enumerate(_backtrail_chunks(shown["Title"], prompt), start=1)
        replies = [as_reply(number, chunk, _says(chunk)) for number, chunk in chunks]
        return "extract", KnowledgeReply(chunks=replies).model_dump_json(exclude_defaults=True)
    if decision == "summarize_descriptions":
        texts = [json.loads(text) for text in re.findall(r"^\d+: (.*)$", shown["Descriptions"], re.M)]
        inputs = SummarizeDescriptionsInputs(name=shown["Name"], descriptions=texts)
        return "summarise", RULES[decision](inputs).model_dump_json()
    if decision in ("hm_rag_judge", "hm_rag_split"):
        return decision.rpartition("_")[2], RULES[decision](JudgeInputs(question=shown["Question"])).model_dump_json()
    if decision == "hm_rag_keywords":
        return "keywords", RULES[decision](KeywordsInputs(question=shown["Question"])).model_dump_json()
    if decision == "hm_rag_summarise":
        inputs = SummariseInputs(question=shown["Question"], answer=shown["Answer"])
        return "shorten", RULES[decision](inputs).model_dump_json()
    if decision in ("hm_rag_read", "hm_rag_refine"):
        return "answer", _reading(shown["Evidence, best first"])
    raise ValueError(f"no script for the decision {decision!r}")


def _reading(evidence: str) -> str:
    first = re.search(r"^component (\".*?\"): \{", evidence, re.M)
    if first is None:
        raise ValueError("a reading without evidence was requested")
    cited = {"component": json.loads(first.group(1)), "row": None, "sentence": None}
    return json.dumps({"answer": ANSWER, "citations": [cited], "supported": True, "confidence": 0.5, "option": None})


def _backtrail_chunks(title: str, prompt: str) -> Iterator[KnowledgeChunk]:
    """Yield the chunks of a request from the prompt: one line of JSON for each field."""
    for modality, passage in re.findall(r'^Chunk \d+: "(\w+)"\n(.*?)(?=\n\n)', prompt, re.M | re.S):
        fields = dict(re.findall(r"^([A-Z][a-z ]+): (.*)$", passage, re.M))
        rows = re.findall(r"^(\d+): (\[.*\])$", passage, re.M)
        anchors = re.findall(r"^(\".*\"), row (\d+|null)$", passage, re.M)
        yield KnowledgeChunk.model_validate(
            {
                "title": title,
                "modality": modality,
                **{field: json.loads(fields[label]) for label, field in _FIELDS.items()},
                "rows": [{"number": int(number), "cells": json.loads(cells)} for number, cells in rows],
                "anchors": [{"text": json.loads(text), "row": json.loads(row)} for text, row in anchors],
            }
        )


def _fenced(prompt: str) -> dict[str, str]:
    """Return the fenced passages by the label before them."""
    found = re.findall(r"^([^\n]+):\s*<(fenced-\w+)>\n(.*?)\n?</\2>$", prompt, re.M | re.S)
    return {label: passage for label, _, passage in found}
