"""The command line, end to end: offline embedder and rules, a corpus of four short documents."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fixtures.command_line import run
from fixtures.scripted_fif import DOCUMENTS
from loopback.openai_server import OpenAIServer, Said, reply
from PIL import Image

QUESTION = "When was Voyager 2 launched?"


@pytest.fixture(scope="module")
def home(offline_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(offline_home, tmp_path_factory.mktemp("cli") / "home")


@pytest.fixture(autouse=True)
def own_checkpoints(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    monkeypatch.setenv("BACKTRAIL_CORPUS", "tiny")
    monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", str(tmp_path / "checkpoints.sqlite"))


def asked(*arguments: str) -> dict[str, Any]:
    result = run("ask", QUESTION, "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_ask_answers_on_stdout_with_the_trail_on_request_or_as_one_object_of_json() -> None:
    result = run("ask", QUESTION)
    assert result.exit_code == 0, result.stderr
    assert "20 August 1977" in result.stdout
    assert "About voyager" in result.stdout
    assert "Ended: it chose to stop searching. Trail: backtrail trace " in result.stderr
    assert "global · document · vectors" not in result.stderr
    assert "global · document · vectors" in run("ask", QUESTION, "--trail").stderr
    result = run("ask", QUESTION, "--json", "--set", "offline.min_confidence=low")
    outcome = json.loads(result.stdout)
    assert result.stderr == ""
    assert "1977" in outcome["answer"]
    assert outcome["abstained"] is False
    assert outcome["citations"][0]["component"] == "voyager#0"
    assert outcome["evidence"][0]["component"] == outcome["ranking"][0]["id"]
    assert outcome["stop_reason"] == "stop"
    assert outcome["usage"]["calls"] == 0


def test_a_thread_goes_on_and_is_resolved_by_its_first_characters() -> None:
    assert "backtrail ask" in run("trace").stdout  # there is none
    thread = asked()["thread_id"]
    finished = run("resume", thread)
    assert finished.exit_code == 0, finished.stderr
    assert "already finished" in finished.stderr
    assert "1977" in finished.stdout
    again = run("ask", "What did its camera weigh?", "--thread", thread[:8], "--json")
    assert json.loads(again.stdout)["thread_id"] == thread
    listed = json.loads(run("trace", "--json").stdout)["threads"]
    assert [(line["thread_id"], line["finished"]) for line in listed] == [(thread, True)]


def test_trace_tells_the_whole_run() -> None:
    thread = asked("--budget-steps", "3")["thread_id"]
    trace = json.loads(run("trace", thread, "--json").stdout)
    assert trace["finished"]
    assert trace["settings"]["budget"]["steps"] == 3
    assert [hop["step"] for hop in trace["hops"]] == list(range(len(trace["hops"])))
    assert set(trace["titles"].values()) <= {f"About {name}" for name in DOCUMENTS}
    assert trace["usage_by_node"]["traverse_documents"]["seconds"]["vectors"] > 0
    shown = run("trace", thread[:6]).stdout
    assert all(word in shown for word in (QUESTION, "traverse", "found", "why", "ended", "total"))
    assert trace["edges"] == {"link": 1}
    assert "edges of the corpus: 1 by authors' links" in shown


def test_a_picture_is_kept_and_referred_to_by_its_hash(home: Path, tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    Image.new("RGB", (4, 4), "red").save(picture)
    asked("--image", str(picture))
    name = hashlib.sha256(picture.read_bytes()).hexdigest()
    assert (home / "blobs" / name[:2] / name).read_bytes() == picture.read_bytes()
    bad = tmp_path / "p.txt"
    bad.write_text("no picture")
    refused = run("ask", QUESTION, "--image", str(bad))
    assert refused.exit_code == 2
    assert "not a picture" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["ask", "q", "--corpus", "nowhere"], "No corpus 'nowhere'. Existing: tiny"),
        (["ask", "q", "--method", "magic"], "There is no method 'magic'. These exist: fif"),
        (["ask", "q", "--model", "magic:1"], "Unknown provider 'magic'"),
        (["ask", "q", "--set", "fif.shortlst=3"], "Did you mean fif.shortlist"),
        (["ask", "q", "--set", "k"], "not of the form key=value"),
        (["ask", "q", "-k", "0"], "k = 0 (given) cannot be used"),
        (["ask", "q", "--thread", "nowhere"], "There is no thread 'nowhere'. The latest: none yet"),
        (["ingest", "/nowhere/at/all"], "/nowhere/at/all does not exist"),
        (["ingest", "https://example.org", "--watch"], "--watch"),
    ],
)
def test_errors_list_what_exists_and_exit_with_2(arguments: list[str], expected: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_ingest_reports_what_failed_and_exits_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_CORPUS", "mixed")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "good.md").write_text("# Mars\n\nMars is red.\n")
    (tmp_path / "docs" / "bad.pdf").write_bytes(b"%PDF-1.4 broken")
    first = run("ingest", str(tmp_path / "docs"), "--json")
    report = json.loads(first.stdout)
    assert first.exit_code == 1
    assert (report["added"], len(report["failed"])) == (1, 1)
    shown = run("ingest", str(tmp_path / "docs"))
    assert "1 unchanged" in shown.stdout
    assert "bad.pdf" in shown.stderr
    assert {one["name"] for one in json.loads(run("corpus", "list", "--json").stdout)["corpora"]} == {"mixed", "tiny"}
    assert run("corpus", "check", "mixed").exit_code == 0
    assert run("corpus", "reindex", "mixed").exit_code == 0
    assert run("corpus", "delete", "mixed", "--yes").exit_code == 0
    assert run("corpus", "show", "mixed").exit_code == 2


def test_doctor_finds_all_well_never_prints_a_key_and_an_unreachable_model_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = run("doctor", "--json")
    assert result.exit_code == 0, result.stdout
    assert "sk-secret" not in result.stdout + run("doctor").stdout
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert {"python", "home", "embedder", "vector store", "corpus", "keys", "model", "server"} <= set(checks)
    assert "tiny: 4 documents" in checks["corpus"]["detail"]
    monkeypatch.setenv("BACKTRAIL_PLANNER", "openai-compatible:m@http://127.0.0.1:9/v1")
    ill = run("doctor")
    assert (ill.exit_code, "cannot be reached" in ill.stdout) == (1, True)
    ended = run("ask", QUESTION, "--json")
    assert ended.exit_code == 2
    assert "backtrail resume" in ended.stderr
    assert "Traceback" not in ended.stderr


# --- as a process ----------------------------------------------------------------------------------
def command(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "backtrail.cli.app", *arguments],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts background jobs with Ctrl-C ignored, and what they start inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_help_loads_no_graph_and_no_store() -> None:
    shown = "import sys, typer.testing; from backtrail.cli.app import app; "
    shown += "print(typer.testing.CliRunner().invoke(app, ['--help']).output); "
    shown += "print([name for name in ('langgraph', 'chromadb', 'sqlalchemy', 'onnxruntime') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert "resume" in done.stdout
    assert done.stdout.strip().endswith("[]")


def test_ctrl_c_loses_nothing() -> None:
    """Interrupted while the model is slow; resumed with the rules in its place."""
    slow = Said(reply({"action": "stop"}).body, delay=300)
    with OpenAIServer([slow], forever=True) as server:
        planner = f"openai-compatible:slow@{server.url}"
        with command("ask", QUESTION, "--planner", planner) as process:
            while not server.chats and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=120)
    assert process.returncode == 130, messages
    assert "Traceback" not in messages
    thread = messages.split("backtrail resume ")[1].split()[0]
    [line] = json.loads(run("trace", "--json").stdout)["threads"]
    assert (line["thread_id"], line["finished"]) == (thread, False)
    assert "Not finished" in run("trace", thread).stdout
    outcome = run("resume", thread, "--set", "planner=offline", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    assert "1977" in json.loads(outcome.stdout)["answer"]


def test_variables_of_a_dotenv_file_are_read_here(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BACKTRAIL_HOME={tmp_path / 'from-dotenv'}\n")
    variables = {key: value for key, value in os.environ.items() if key != "BACKTRAIL_HOME"}
    add = [sys.executable, "-m", "backtrail.cli.app", "keys", "add", "anna"]  # loads little
    subprocess.run(add, env=variables, cwd=tmp_path, capture_output=True, timeout=600, check=True)
    assert (tmp_path / "from-dotenv").is_dir()


def test_a_watched_folder_is_ingested_until_ctrl_c_and_a_bad_file_ends_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "first.txt").write_text("The bridge was opened in 1980.")
    watch = ("ingest", str(folder), "--corpus", "notes", "--watch", "--json")
    with command(*watch, BACKTRAIL_HOME=str(tmp_path / "home")) as watching:
        assert watching.stdout
        reports = map(json.loads, iter(watching.stdout.readline, ""))
        try:
            assert next(reports)["added"] == 1
            (folder / "second.txt").write_text("The tunnel was opened in 1990.")
            assert next(reports)["added"] == 1
            (folder / "broken.pdf").write_text("This is no PDF.")
            assert len(next(reports)["failed"]) == 1
            (folder / "first.txt").unlink()
            assert next(reports)["deleted"] == 1
        finally:
            watching.send_signal(signal.SIGINT)
            watching.communicate(timeout=120)
    assert watching.returncode == 0
