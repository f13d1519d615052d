"""Measure what ingestion keeps of real files that were not used in its development.

    apt-get install pandoc poppler-utils libreoffice-writer libreoffice-calc libreoffice-impress
    pip install rapidfuzz
    cd benchmarks && python -m real_files FOLDER [--sources real_files/later_sources.tsv] [--json FILE]

FOLDER has the files of the list (repository, commit, path, sha256), under their names or those in the list.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
import time
from pathlib import Path

from real_files.measures import MEASURES, Shares, read, shares
from real_files.references import reference


def main() -> None:
    """Read and compare the files, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sources", type=Path, default=Path(__file__).parent / "sources.tsv")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with options.sources.open(encoding="utf-8") as listed:
        sources = list(csv.DictReader(listed, delimiter="\t"))
    print(f"| file | {' | '.join(MEASURES)} | s |\n|---|{'--:|' * (len(MEASURES) + 1)}")
    results: dict[str, Shares] = {}
    for source in sources:
        path = options.folder / (source.get("name") or Path(source["path"]).name)
        if hashlib.sha256(path.read_bytes()).hexdigest() != source["sha256"]:
            sys.exit(f"{path} differs from the listed file (sha256). Get the listed commit, or remove the file.")
        started = time.process_time()
        documents = read(path)
        seconds = time.process_time() - started
        results[path.name] = shares(reference(path), documents)
        print(_line(path.name, results[path.name], f"{seconds:.1f}"), flush=True)
    means: Shares = {}
    for measure in MEASURES:
        known = [share for found in results.values() if (share := found[measure]) is not None]
        means[measure] = sum(known) / len(known) if known else None
    print(_line(f"**mean of {len(results)}**", means, ""))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


def _line(name: str, found: Shares, seconds: str) -> str:
    cells = (f"{share:.3f}".replace("0.", ".", 1) if share is not None else "–" for share in map(found.get, MEASURES))
    return f"| {name} | {' | '.join(cells)} | {seconds} |"


if __name__ == "__main__":
    main()
