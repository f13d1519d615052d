"""Numbered citations of an answer, with their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from langgraph.config import get_config

from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.streaming.escape_markdown import address
from backtrail.state.answer import Citation
from backtrail.state.chat.answer_payload import Source
from backtrail.state.evidence import EvidenceLocator
from backtrail.state.settings import Settings
from backtrail.tools.access.public_address import TEMPORARY, public_address
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.shelf import is_web


@dataclass(frozen=True)
class Where:
    """Thread of a run and address of its server; empty if there is none."""

    thread: str = ""
    server: str = ""

    @property
    def trace(self) -> str:
        """URL of the page that shows the run."""
        return f"{self.server}/trace/{quote(self.thread, safe='')}" if self.server and self.thread else ""

    def picture(self, blob: str, corpus: str = "") -> str:
        """Return the URL of a picture of a corpus, or of one from the web or a question."""
        query = f"?corpus={quote(corpus, safe='')}" if corpus else ""
        return f"{self.server}/blobs/{blob}{query}" if self.server and blob else ""


def where_asked() -> Where:
    """Return the location of this node's run; empty outside of a run. Temporary threads have none."""
    try:
        config = get_config()
    except RuntimeError:
        return Where()
    metadata = config.get("metadata") or {}
    thread = "" if metadata.get(TEMPORARY) else (config.get("configurable") or {}).get("thread_id")
    return Where(str(thread or ""), public_address(metadata))


def sources(toolbox: Toolbox, settings: Settings, cited: Sequence[Citation], where: Where) -> list[Source]:
    """Return the citations of the message. Reads the documents' addresses (blocking)."""
    if not cited:
        return []
    documents = toolbox.contents(settings).documents({one["document"] for one in cited})
    found: list[Source] = []
    for number, citation in enumerate(cited, 1):
        document, at = documents.get(citation["document"]), citation["locator"]
        url = address(at.get("url") or (document.url if document else ""))
        if url and "#" not in url and "fragment" in at:
            url = f"{url}#{quote(at['fragment'], safe='')}"
        shown = where.picture(at.get("blob", ""), "" if is_web(citation["component"]) else settings.corpus)
        found.append(
            {
                **citation, "number": number, "place": place(citation["modality"], _without_links(at)),
                "address": url, "picture": shown,
            }
        )  # fmt: skip
    return found


def _without_links(locator: EvidenceLocator) -> EvidenceLocator:
    """Return the locator without the parts that the message shows as link or picture."""
    kept = {key: value for key, value in locator.items() if key not in ("url", "blob", "fragment")}
    return cast("EvidenceLocator", kept)
