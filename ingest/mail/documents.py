"""Documents of a message: the message itself, and one per attachment."""

from __future__ import annotations

import dataclasses
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from backtrail.ingest.draft import Draft
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_body
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.images import UnusablePicture
from backtrail.ingest.mail.message import Attachment, MailMessage, address_of
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.plain.text import text_drafts
from backtrail.state.component import Link

_NAME_BYTES = 160
"""Most bytes of a file name without extension; file systems allow 255 in all."""

MAX_DEPTH = 3
"""Most levels of messages attached to messages (ours)."""

MAX_ATTACHMENTS = 200
MAX_BYTES = 200 * 2**20
"""Most attachments of one mail file, and their bytes, those of attached messages included (ours)."""

ParseFile = Callable[[Path, str, "Delivery"], Iterator[ParsedDocument | SkippedPart]]
"""Parser of an attachment that was written to a file, with its document id."""


@dataclass
class Delivery:
    """Remaining limits for the attachments of one mail file, ``source``."""

    source: Path
    depth: int = 0
    attachments: int = MAX_ATTACHMENTS
    left: int = MAX_BYTES


def documents_of(
    letter: MailMessage, document_id: str, delivery: Delivery, parse_file: ParseFile
) -> Iterator[ParsedDocument]:
    """Yield the message, then its attachments; the message records what was skipped.

    Args:
        document_id: id of the message; an attachment's id is "<document_id>/<name>".
    """
    ids = _ids(letter.attachments, document_id)
    attached: list[ParsedDocument] = []
    notes = [SkippedPart(document_id, note) for note in letter.notes]
    for id_, attachment in ids.items():
        refusal = _refusal(attachment, delivery)
        if refusal:
            notes.append(SkippedPart(id_, refusal))
            continue
        for read in _read(attachment, id_, delivery, parse_file):
            if isinstance(read, SkippedPart):
                notes.append(read)
            else:
                attached.append(read)
    parsed_ids = {one.document.id for one in attached}
    message = _message(letter, document_id, delivery, {id_: one.name for id_, one in ids.items() if id_ in parsed_ids})
    yield dataclasses.replace(message, skipped=[*message.skipped, *notes])
    yield from attached


def _message(letter: MailMessage, document_id: str, delivery: Delivery, attached: dict[str, str]) -> ParsedDocument:
    title = letter.head.get("Subject") or "Message without a subject"
    head = [f"{name}: {text}" for name, text in letter.head.items()]
    if letter.attachments:
        head.append(f"Attachments: {', '.join(one.name for one in letter.attachments)}")
    links = [Link(target=id_, anchor=name) for id_, name in attached.items()]
    links += [Link(target=address_of(id_), anchor="answers", kind="external") for id_ in letter.answers]
    drafts = [Draft("", text="\n".join(head), links=links)] if head else []
    drafts += _body(letter, title, document_id)

    def find(source: str) -> bytes:
        content = letter.inline.get(source.removeprefix("cid:"))
        if content is None:
            raise UnusablePicture(
                source[:80], "the picture is not in the message", "Pictures elsewhere are not fetched"
            )
        return content

    shown = {draft.picture.source.removeprefix("cid:") for draft in drafts if draft.picture}
    parsed = document_of(
        drafts,
        document_id=document_id,
        title=title,
        path=delivery.source,
        find=find,
        url=address_of(letter.id) if letter.id else "",
    )
    hidden = len(letter.inline.keys() - shown)
    if hidden:
        parsed.skipped.append(SkippedPart(document_id, f"{hidden} embedded pictures are not shown in its text"))
    return parsed


def _body(letter: MailMessage, title: str, document_id: str) -> list[Draft]:
    """Return the drafts of the HTML text, and of the plain text if there is no HTML content."""
    if not letter.html.strip():
        return text_drafts(letter.text)
    body, losses = parse_body(letter.html)
    letter.notes.extend(losses)
    drafts = PageWalker(title, LinkTargets(document_id)).walk(body)
    return drafts if any(draft.text or draft.table for draft in drafts) else drafts + text_drafts(letter.text)


def _ids(attachments: list[Attachment], document_id: str) -> dict[str, Attachment]:
    """Return attachments by id: the name, with a number if several are equal."""
    found: dict[str, Attachment] = {}
    for attachment in attachments:
        name = safe_name(attachment.name)
        stem, dot, ending = name.rpartition(".")
        id_, number = f"{document_id}/{name}", 1
        while id_ in found:
            number += 1
            id_ = f"{document_id}/{stem}-{number}.{ending}" if dot else f"{document_id}/{name}-{number}"
        found[id_] = attachment
    return found


def safe_name(name: str) -> str:
    """Return a safe file name: no folders, no control characters, not hidden, bounded, same extension."""
    plain = re.sub(r"[\x00-\x1f\x7f]+", "", name.replace("\\", "/").rpartition("/")[2]).strip().lstrip(".")
    stem, dot, ending = plain.encode("utf-8", "ignore").decode().rpartition(".")
    stem, dot, ending = (stem, dot, ending) if stem else (ending, "", "")
    return f"{stem[:80].encode()[:_NAME_BYTES].decode('utf-8', 'ignore')}{dot}{ending[:10]}" or "attachment"


def _refusal(attachment: Attachment, delivery: Delivery) -> str:
    """Count an attachment; return why it is not read, or ""."""
    if delivery.depth >= MAX_DEPTH:
        return f"lies more than {MAX_DEPTH} messages deep and was not read"
    delivery.attachments -= 1
    delivery.left -= len(attachment.content)
    if delivery.attachments < 0:
        return f"is one of more than {MAX_ATTACHMENTS} attachments and was not read"
    if delivery.left < 0:
        return f"brings the attachments to more than {MAX_BYTES // 2**20} MB and was not read"
    return ""


def _read(
    attachment: Attachment, id_: str, delivery: Delivery, parse_file: ParseFile
) -> Iterator[ParsedDocument | SkippedPart]:
    """Parse an attachment from a file in a temporary folder."""
    delivery.depth += 1
    try:
        with tempfile.TemporaryDirectory(prefix="backtrail-") as folder:
            path = Path(folder) / safe_name(attachment.name)  # the title may come from the file name
            path.write_bytes(attachment.content)
            for read in parse_file(path, id_, delivery):
                yield _kept(read, delivery.source) if isinstance(read, ParsedDocument) else read
    finally:
        delivery.depth -= 1


def _kept(parsed: ParsedDocument, source: Path) -> ParsedDocument:
    """Make a document independent of the temporary file: pictures as bytes, the mail file as source."""
    blobs = {sha: blob if isinstance(blob, bytes) else blob.read_bytes() for sha, blob in parsed.blobs.items()}
    document = parsed.document.model_copy(update={"source": str(source)})
    return dataclasses.replace(parsed, document=document, blobs=blobs)
