"""Publish a change of a corpus and report what it holds."""

from __future__ import annotations

import json

from backtrail.ingest.knowledge import KnowledgeReading
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.writer import CorpusWriter


def publish_what_changed(
    writer: CorpusWriter,
    report: IngestReport,
    reading: KnowledgeReading | None,
    progress: Progress,
    *,
    anyway: bool,
    forget: bool,
) -> None:
    """Make a change visible, if there is one, and put what is visible then into the report.

    To forget is one: what earlier ingests removed stands in the generation before, and in files of this one.
    """
    changed = report.anything_new or writer.pixels_changed or anyway or forget or not writer.is_published
    if changed or (reading and reading.changed):
        summarize = reading.summarize if reading else None
        told = json.dumps(report.counts())
        published = writer.publish(progress, report=told, summarize=summarize, forget=forget)
        report.links, report.edges = published.links, published.edges
        report.embedded, report.version = published.embedded, published.version
    else:
        report.links, report.edges, report.version = writer.links(), writer.edges(), writer.version
