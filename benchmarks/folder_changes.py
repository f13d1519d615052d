"""Measure the cost of ingesting a folder: first, again, with one file edited, with one added.

    python benchmarks/folder_changes.py FOLDER [--edit PAGE]

Copies the folder to a temporary one and ingests it with a free embedder, each time in a new process. A sentence is
added to one page (by default the middle one); the added file is a copy of it under another name. Prints processor
seconds, including those of parsing processes, for reading and in total.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scale import Free, Stages

from backtrail.ingest.pipeline import ingest

_PAGES = frozenset({".md", ".mdx", ".html", ".htm", ".rst", ".adoc", ".txt"})
_LONGEST = 3_600  # seconds that one ingest may take
_SAID = "\n\nOne more sentence stands here now.\n"


class Reading(Stages):
    """Also records the processor time of child processes at the end of reading."""

    beside: float | None = None

    def stage(self, name: str, total: int | None = None) -> None:
        """Record the time since the last stage began."""
        super().stage(name, total)
        if name == "link":
            self.beside = children()


def children() -> float:
    """Return the processor seconds of ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ingested(folder: Path) -> dict:
    """Ingest in this process and return the measurements."""
    stages, before = Reading(), sum(os.times()[:2])
    report = ingest([folder], "folder", embedder="free", opened=Free(), progress=stages)
    stages.stage("done")
    beside = children()
    counts = {name: getattr(report, name) for name in ("added", "changed", "unchanged", "deleted")}
    reading = stages.processor.get("read", 0.0) + (beside if stages.beside is None else stages.beside)
    failed = len(report.failed)
    return counts | {"failed": failed, "reading": reading, "all": sum(os.times()[:2]) - before + beside}


def measured(folder: Path, home: Path) -> dict:
    """Ingest in a new process and return the measurements."""
    command = [sys.executable, __file__, str(folder), "--part"]
    environment = os.environ | {"BACKTRAIL_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edit", type=Path, help="page to edit, relative to the folder")
    parser.add_argument("--part", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(ingested(options.folder)))
        return
    with tempfile.TemporaryDirectory() as made:
        folder, home = Path(made) / "folder", Path(made) / "home"
        shutil.copytree(options.folder, folder)
        pages = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PAGES)
        page = folder / options.edit if options.edit else pages[len(pages) // 2]
        print(f"{sum(path.is_file() for path in folder.rglob('*'))} files; edited is {page.relative_to(folder)}\n")
        print("| | reading | all | added | changed | unchanged | failed |\n|---|--:|--:|--:|--:|--:|--:|")
        for what in ("first", "again", "one page edited", "one page added"):
            if what.endswith("edited"):
                text = page.read_bytes()
                end = text.lower().rfind(b"</body>")
                page.write_bytes(text + _SAID.encode() if end < 0 else text[:end] + _said_in_html() + text[end:])
            elif what.endswith("added"):
                shutil.copyfile(page, page.with_stem(f"{page.stem}-added"))
            one = measured(folder, home)
            cells = " | ".join(str(one[name]) for name in ("added", "changed", "unchanged", "failed"))
            print(f"| {what} | {one['reading']:.2f} | {one['all']:.2f} | {cells} |", flush=True)


def _said_in_html() -> bytes:
    return f"<p>{_SAID.strip()}</p>".encode()


if __name__ == "__main__":
    main()
