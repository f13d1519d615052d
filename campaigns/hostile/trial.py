"""Try one case after the other, each in a forked process, and report the outcome.

    python -m campaigns.hostile.trial URL < names.json        (names from the lists of cases, or "seed 17")

Prints a line of JSON per case. The process that reads a file is killed when it takes too long; everything that Python
opens, connects to or starts is recorded. Accesses by C libraries are detected by the secret and the URL in the cases.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import sys
import sysconfig
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from backtrail.ingest.discover import NothingToIngest, discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.prepare_document import prepare
from campaigns.hostile.binary import binary_cases
from campaigns.hostile.cases import SECRET, Case, lay_out
from campaigns.hostile.documents import sound
from campaigns.hostile.general import general_cases
from campaigns.hostile.mutations import mutation
from campaigns.hostile.office import office_cases
from campaigns.hostile.texts import text_cases

_SLOW = re.compile(r"million|MB|,000|giga|zeros|billion|draws itself")
MOST_SECONDS = 300
"""Processor seconds after which a file counts as hung; a child process has the same limit."""

MOST_ON_THE_CLOCK = 1800
"""Wall seconds after which a waiting process counts as hung; far above any case on a busy machine."""

_OWN = tuple(
    os.path.realpath(path)
    for path in {*sys.path, *sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, "/usr", "/proc", "/sys",
                 "/dev", "/etc/mime.types", "/etc/ssl", "/etc/localtime", str(Path(__file__).parents[2])}
    if path
)  # fmt: skip


@dataclass
class Outcome:
    """Outcome of reading a case.

    Attributes:
        status: "read", "refused", or a failure: "hung", "crashed", "raised …", "silent" (neither read nor refused),
            "nameless" (refused, or read without contents, and no reason given).
        reasons: first reasons of refusals and omissions.
        seconds: processor seconds.
        megabytes: peak memory of the process, with all parsers loaded.
        opened: files outside the folder; asked: addresses and programs.
    """

    name: str
    kind: str = ""
    status: str = ""
    reasons: list[str] = field(default_factory=list)
    components: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    opened: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    leaked: bool = False

    @property
    def fine(self) -> bool:
        """Whether it was read or refused, without forbidden accesses."""
        return self.status in ("read", "refused") and not (self.opened or self.asked or self.leaked)


def try_case(case: Case, url: str) -> Outcome:
    """Read a case in a forked process."""
    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        signal.alarm(MOST_ON_THE_CLOCK)
        with os.fdopen(writing, "w") as pipe:
            json.dump(asdict(_tried(case, folder, url)), pipe)
        os._exit(0)
    os.close(writing)
    _, status, used = os.wait4(child, 0)
    with os.fdopen(reading) as pipe:
        reported = pipe.read()
    shutil.rmtree(folder, ignore_errors=True)
    hung = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU)
    outcome = (
        Outcome(**json.loads(reported)) if reported else Outcome(case.name, case.ending, "hung" if hung else "crashed")
    )
    outcome.seconds = round(used.ru_utime + used.ru_stime, 2)
    outcome.megabytes = round(used.ru_maxrss / 1024, 1)
    return outcome


def _tried(case: Case, folder: Path, url: str) -> Outcome:
    outcome = Outcome(case.name, case.ending)
    given = lay_out(case, folder, url)
    scratch = folder / "scratch"
    scratch.mkdir()
    tempfile.tempdir = os.environ["TMPDIR"] = str(scratch)
    _watch(outcome, (str(given), str(scratch)))
    try:
        _read(given, outcome)
    except Exception as error:  # noqa: BLE001  any exception is a finding of the campaign
        outcome.status = f"raised {type(error).__name__}: {error}"[:300]
    outcome.opened, outcome.asked = sorted(set(outcome.opened))[:5], sorted(set(outcome.asked))[:5]
    return outcome


def _read(given: Path, outcome: Outcome) -> None:
    try:
        sources = discover([given])
    except NothingToIngest as error:
        outcome.status, outcome.reasons = "refused", [str(error)[:200]]
        return
    documents = entries = 0
    for source in sources:
        for entry in parse(source):
            entries += 1
            if not isinstance(entry, ParsedDocument):
                outcome.reasons.append(entry.reason[:200])
                if not entry.reason.strip():
                    outcome.status = "nameless"
                continue
            documents += 1
            prepare(entry, str(given), "")
            outcome.components += len(entry.components)
            outcome.reasons += [part.reason[:200] for part in entry.skipped[:5]]
            outcome.leaked |= SECRET in entry.document.model_dump_json() or any(
                SECRET in component.model_dump_json() for component in entry.components
            )
            if not entry.components and not entry.skipped:
                outcome.status = "nameless"
    outcome.reasons = outcome.reasons[:5]
    outcome.status = outcome.status or ("silent" if not entries else "read" if documents else "refused")


def _watch(outcome: Outcome, allowed: tuple[str, ...]) -> None:
    """Record what is opened, contacted and started from here on, except our process that reads PDF pages."""
    allowed = tuple(os.path.realpath(path) for path in allowed)

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if not path.startswith((*allowed, *_OWN)):
                outcome.opened.append(path)
        elif event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
            outcome.asked.append(f"{event} {arguments[-1] if event == 'socket.connect' else arguments[0]}"[:100])
        elif event == "subprocess.Popen" and arguments[0] != sys.executable:
            outcome.asked.append(f"{event} {arguments[0]}"[:100])
        elif event in ("os.system", "os.exec", "webbrowser.open"):
            outcome.asked.append(event)

    sys.addaudithook(note)


def all_cases() -> list[Case]:
    """Return general and special cases."""
    return [*general_cases(), *office_cases(), *text_cases(), *binary_cases()]


def quick_names(share: int, mutations: int) -> list[str]:
    """Return the name of one fast case in ``share``, and of mutations."""
    names = [case.name for case in all_cases() if not _SLOW.search(case.defect)]
    return [*names[::share], *(f"seed {seed}" for seed in range(mutations))]


def main() -> None:
    """Try the named cases."""
    url, wanted = sys.argv[1], json.load(sys.stdin)
    _load()
    named = set(wanted)
    for case in all_cases():
        if case.name in named:
            print(json.dumps(asdict(try_case(case, url))), flush=True)
    for seed in (int(name.removeprefix("seed ")) for name in wanted if name.startswith("seed ")):
        print(json.dumps(asdict(try_case(mutation(seed), url))), flush=True)


def _load() -> None:
    """Read a valid file of each type, so that no forked process has to import a parser."""
    for ending, content in sound().items():
        if ending != ".pdf":  # it is read in a separate process, which must not be shared
            folder = Path(tempfile.mkdtemp(prefix="campaign-"))
            _read(lay_out(Case("sound", ending, content), folder, ""), Outcome(""))
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
