"""Number the citations of an answer and give each its address."""

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
    """The run that is told about: its thread, and the address of its server; empty where there is none."""

    thread: str = ""
    server: str = ""

    @property
    def trace(self) -> str:
        """Address of the page that shows the run."""
        return f"{self.server}/trace/{quote(self.thread, safe='')}" if self.server and self.thread else ""

    def picture(self, blob: str, corpus: str = "") -> str:
        """Address of a picture of a corpus, or of one that was found on the web or came with a question."""
        held = f"?corpus={quote(corpus, safe='')}" if corpus else ""
        return f"{self.server}/blobs/{blob}{held}" if self.server and blob else ""


def where_asked() -> Where:
    """Of the run that this node belongs to; nowhere outside of one. A thread that is removed after it is none."""
    try:
        config = get_config()
    except RuntimeError:
        return Where()
    metadata = config.get("metadata") or {}
    thread = "" if metadata.get(TEMPORARY) else (config.get("configurable") or {}).get("thread_id")
    return Where(str(thread or ""), public_address(metadata))


def sources(toolbox: Toolbox, settings: Settings, cited: Sequence[Citation], where: Where) -> list[Source]:
    """The citations as they are told. Reads the documents' addresses (blocking)."""
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
    """Where it stands, without what the message has as a link or a picture."""
    kept = {key: value for key, value in locator.items() if key not in ("url", "blob", "fragment")}
    return cast("EvidenceLocator", kept)
