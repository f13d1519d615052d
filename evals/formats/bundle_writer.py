"""Write a corpus bundle line by line. The folder appears under its name only when it is complete."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from backtrail.evals.errors import FormatError

DOCUMENTS = "documents"
"""Folder of a bundle with files that are ingested as they are."""


class BundleWriter:
    """Writer of a bundle: ``OUT.part`` until everything is written, then ``OUT``.

    Documents, components and questions with an id that was written before are left out: benchmarks repeat contexts.
    Pictures are copied; a missing one leaves a component without a file.

    Args:
        out: the folder to create.
        download: whether formats may fetch pictures that the release names only by URL.

    Raises:
        FormatError: the folder OUT exists and is not empty.
    """

    def __init__(self, out: Path, *, download: bool = False) -> None:
        if out.exists() and any(out.iterdir()):
            raise FormatError(out, None, "exists and is not empty; name another folder or remove it")
        self.download = download
        self._out = out
        self._part = out.with_name(out.name + ".part")
        self.counts = {"documents": 0, "components": 0, "questions": 0, "pictures": 0, "pictures missing": 0}
        self._ids: dict[str, set[str]] = {"documents": set(), "components": set(), "questions": set()}
        self._files: dict[str, TextIO] = {}
        self._missing: list[dict[str, str]] = []

    def __enter__(self) -> Self:
        shutil.rmtree(self._part, ignore_errors=True)
        (self._part / "pictures").mkdir(parents=True)
        self._files = {kind: (self._part / f"{kind}.jsonl").open("w", encoding="utf-8") for kind in self._ids}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()
        if error is not None:
            shutil.rmtree(self._part, ignore_errors=True)
            return
        if self.counts.get("files"):
            # With empty lists of components beside them, ingestion would take the files for a bundle.
            for empty in ("documents", "components"):
                if not self.counts[empty]:
                    (self._part / f"{empty}.jsonl").unlink()
        if self._missing:
            lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._missing)
            (self._part / "missing.jsonl").write_text(lines, encoding="utf-8")
        if self._out.exists():
            self._out.rmdir()
        self._part.rename(self._out)

    def document(self, id_: str, title: str, url: str = "") -> None:
        """Write a document."""
        self._write("documents", {"id": id_, "title": title, "url": url})

    def text(self, id_: str, document: str, text: str, **more: Any) -> None:
        """Write a paragraph."""
        self._component(id_, document, "text", {"text": text}, more)

    def table(self, id_: str, document: str, table: dict[str, Any], **more: Any) -> None:
        """Write a table: ``{caption, header, rows}``."""
        self._component(id_, document, "table", {"table": table}, more)

    def image(self, id_: str, document: str, image: dict[str, Any], file: Path | bytes | None, **more: Any) -> None:
        """Write a picture with its texts ``{title, caption, alt?}``; ``file`` is a path or the bytes."""
        self._component(id_, document, "image", {"image": {**image, "file": self._picture(id_, file)}}, more)

    def file(self, name: str, source: Path) -> None:
        """Copy an original document of the release, for ``backtrail ingest OUT/documents``; each name once.

        Args:
            name: path below ``documents/``, which becomes the document's id.

        Raises:
            FormatError: the name leaves that folder, or the file is missing.
        """
        target = (self._part / DOCUMENTS / name).resolve()
        if not target.is_relative_to((self._part / DOCUMENTS).resolve()) or not name.strip("./"):
            raise FormatError(source, None, f"is named {name!r}, which is no path below a folder")
        if target.exists():
            return
        if not source.is_file():
            raise FormatError(source, None, "is missing, and questions are about it")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        self.counts["files"] = self.counts.get("files", 0) + 1

    def question_picture(self, file: Path | bytes | None) -> str | None:
        """Write the picture of a question; return its path in the bundle, or None where the file is missing."""
        return self._picture("", file)

    def question(self, line: dict[str, Any]) -> None:
        """Write a question in the bundle's layout."""
        self._write("questions", line)

    def missing(self, line: dict[str, str]) -> None:
        """Add a line to ``missing.jsonl``: what a question lacks, and why."""
        self._missing.append(line)

    def has(self, component: str) -> bool:
        """Return whether a component of that id was written."""
        return component in self._ids["components"]

    def _component(self, id_: str, document: str, modality: str, content: dict[str, Any], more: dict[str, Any]) -> None:
        line = {"id": id_, "document": document, "position": 0, "modality": modality, "section": "", "links": []}
        self._write("components", {**line, **more, **content})

    def _picture(self, id_: str, file: Path | bytes | None) -> str | None:
        if file is None or (isinstance(file, Path) and not file.is_file()):
            self.counts["pictures missing"] += 1
            return None
        # Ids come from the benchmark, so they must not become paths.
        suffix = file.suffix.lower() if isinstance(file, Path) else ".img"
        name = f"pictures/{self.counts['pictures']:06d}{suffix}"
        target = self._part / name
        if isinstance(file, bytes):
            target.write_bytes(file)
        else:
            shutil.copyfile(file, target)
        self.counts["pictures"] += 1
        return name

    def _write(self, kind: str, line: dict[str, Any]) -> None:
        if line["id"] in self._ids[kind]:
            return
        self._ids[kind].add(line["id"])
        self._files[kind].write(json.dumps(line, ensure_ascii=False) + "\n")
        self.counts[kind] += 1
