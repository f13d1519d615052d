"""How long the rest of a stage takes is told at the pace of what was done, and not before that says something."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.progress import Progress

from backtrail.cli.show.ingest_progress import time_left


def test_what_is_left_follows_the_pace() -> None:
    now = [0.0]
    column = time_left()
    column.max_refresh = None
    progress = Progress(column, get_time=lambda: now[0], console=Console(file=StringIO()), auto_refresh=False)
    task = progress.add_task("read", total=1000)
    told = {}
    for second in range(1, 41):
        now[0] = float(second)
        progress.advance(task, 10 if second <= 20 else 2)
        told[second] = column(progress.tasks[0]).plain
    assert told[3] == ""
    assert told[10] == "1:30 left"
    assert told[20] == "1:20 left"
    slow = told[40].removesuffix(" left").split(":")
    assert int(slow[0]) * 60 + int(slow[1]) > 120  # 760 are left, and the last went by at 2 a second
    progress.reset(task, total=50)
    assert column(progress.tasks[0]).plain == ""
