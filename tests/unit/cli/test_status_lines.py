import time

from backtrail.cli.show import ingest_progress
from backtrail.cli.show.ingest_progress import IngestBar
from backtrail.cli.show.status_lines import StatusLines


def test_where_no_bar_can_be_drawn_lines_tell_how_far_an_ingest_is(monkeypatch, capfd):
    monkeypatch.setattr(ingest_progress, "StatusLines", lambda: StatusLines(0.01))
    told = ""
    with IngestBar(shown=True) as bar:
        bar.stage("read", 1200)
        bar.advance(3)
        while "Reading 3" not in told:
            time.sleep(0.01)
            told += capfd.readouterr().err
    assert "Reading 3 of 1,200 (0:00)" in told.splitlines()
    capfd.readouterr()
    time.sleep(0.03)
    assert capfd.readouterr().err == ""


def test_an_ingest_that_prints_json_tells_nothing(monkeypatch, capfd):
    monkeypatch.setattr(ingest_progress, "StatusLines", lambda: StatusLines(0.001))
    with IngestBar(shown=False) as bar:
        bar.stage("embed")
        time.sleep(0.02)
    assert capfd.readouterr().err == ""
