"""Several processes write one entry of the cache while others read it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

WRITER = """
import asyncio, pathlib, sys
from backtrail.tools.web.cache import WebCache

async def write():
    for _ in range(60):
        await WebCache(pathlib.Path(sys.argv[1]), 1).put("pages", {"url": "u"}, {"text": sys.argv[2] * 20_000})

asyncio.run(write())
"""


def test_a_reader_sees_whole_entries_and_nothing_is_left_over(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in "abc"]
    read = 0
    while any(writer.poll() is None for writer in writers):
        for file in tmp_path.rglob("*.json"):
            text = json.loads(file.read_bytes())["answer"]["text"]
            assert text == text[0] * 20_000
            read += 1
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert read
    assert [file.suffix for file in tmp_path.rglob("*") if file.is_file()] == [".json"]
