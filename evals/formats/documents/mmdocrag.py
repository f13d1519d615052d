"""MMDocRAG (Dong et al., NeurIPS 2025; Apache-2.0): answers made of quoted texts and pictures.

Files ``dataset/{dev,evaluation}_{15,20}.jsonl`` and ``images/``. One row:

    {"q_id": 1, "doc_name": "…", "domain": "…", "question": "…", "evidence_modality_type": ["chart"],
     "question_type": "…", "text_quotes": [{"quote_id": "text1", "type": "text", "text": "…", "page_id": 3,
     "layout_id": 12}], "img_quotes": [{"quote_id": "image1", "type": "image", "img_path": "images/….jpg",
     "img_description": "…", "page_id": 4, "layout_id": 15}], "gold_quotes": ["image1", "text2"],
     "answer_short": "…", "answer_interleaved": "…"}

The corpus is the quotes of all questions, each once. The official evaluation gives 15 or 20 quotes with each question
and searches nothing.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines

_SPLITS = {"dev": "dev_20", "val": "dev_20", "test": "evaluation_20", "evaluation": "evaluation_20"}


def write_mmdocrag(source: Path, writer: BundleWriter, split: str) -> None:
    """Write quotes and questions of a split: dev, test, or the name of a file such as ``evaluation_15``.

    Raises:
        FormatError: a file is missing, or a row lacks a field.
    """
    name = _SPLITS.get(split, split)
    file = found(source, f"dataset/{name}.jsonl", f"{name}.jsonl")
    for number, row in read_json_lines(file):
        document = str(field(row, "doc_name", file, number))
        writer.document(document, document)
        ids: dict[str, str] = {}
        for quote in (*(row.get("text_quotes") or []), *(row.get("img_quotes") or [])):
            ids[str(field(quote, "quote_id", file, number))] = _write_quote(source, writer, document, quote)
        gold = [str(one) for one in field(row, "gold_quotes", file, number)]
        short, long = str(row.get("answer_short") or ""), str(row.get("answer_interleaved") or "")
        writer.question(
            {
                "id": str(field(row, "q_id", file, number)),
                "question": str(field(row, "question", file, number)),
                "answers": [answer for answer in (short,) if answer],
                # A gold quote that the row does not offer keeps an id that no ranking can contain.
                "gold": [[ids.get(one) or _lost(one)] for one in gold],
                "hops": len(gold),
                "tags": {
                    "interleaved": long,
                    "type": str(row.get("question_type", "")),
                    "domain": str(row.get("domain", "")),
                    "modality": row.get("evidence_modality_type") or [],
                    **({"gold_lost": lost} if (lost := sum(one not in ids for one in gold)) else {}),
                },
            }
        )


def _write_quote(source: Path, writer: BundleWriter, document: str, quote: dict[str, Any]) -> str:
    """Write a quote once; return its component id, which begins with ``image`` or ``text``."""
    text = str(quote.get("text") or quote.get("img_description") or "")
    picture = str(quote.get("img_path") or "")
    kind = "image" if picture else "text"
    place = f"{document}\n{quote.get('page_id')}\n{quote.get('layout_id')}\n{picture}\n{text}"
    id_ = f"{kind}:{hashlib.sha256(place.encode()).hexdigest()[:16]}"
    if writer.has(id_):
        return id_
    position = _number(quote.get("layout_id"))
    if kind == "text":
        writer.text(id_, document, text or "(empty)", position=position)
    else:
        writer.image(id_, document, {"title": "", "caption": text}, _inside(source, picture), position=position)
    return id_


def _lost(quote: str) -> str:
    """Return the id of a gold quote that is not offered: of its kind, but no component's."""
    return f"{'image' if quote.startswith('image') else 'text'}:not-offered-{quote}"


def _inside(source: Path, picture: str) -> Path | None:
    """Return a picture of the release; None for a path that leaves it."""
    file = (source / picture).resolve()
    return file if file.is_relative_to(source.resolve()) else None


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
