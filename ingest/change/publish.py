"""Publish a change of a corpus and complete the report."""

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
    """Publish a change, if there is one, and add the published counts to the report.

    ``forget`` always publishes: removed data is still in the previous generation and in files of this one.
    """
    changed = report.anything_new or writer.pixels_changed or anyway or forget or not writer.is_published
    if changed or (reading and reading.changed):
        summarize = reading.summarize if reading else None
        counts = json.dumps(report.counts())
        published = writer.publish(progress, report=counts, summarize=summarize, forget=forget)
        report.links, report.edges = published.links, published.edges
        report.embedded, report.version = published.embedded, published.version
    else:
        report.links, report.edges, report.version = writer.links(), writer.edges(), writer.version
