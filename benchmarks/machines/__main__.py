"""Test a corpus shared by several machines under network failures, power loss and wrong clocks.

    python benchmarks/machines [together] [reader] [writer] [lost] [clock] [ray] [--seconds 60]

Each machine is a set of Linux namespaces with its own address, /tmp and home, behind one router; another one runs
PostgreSQL and an object store. Needs root, ``unshare``, ``ip``, ``faketime`` for ``clock``, and ``make ray`` for
``ray``. Nothing leaves the router. Cases assert their expectations and print measurements.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tests")]

from fixtures.tiny_corpora import write_bundle
from network import VOLUME, Machine, enter
from on_ray import start_ray, variables, wait_for_vectors

HERE = Path(__file__).parent
STEPS = [sys.executable, str(HERE / "steps.py")]
WAITED = 400.0
SECRET = "rabiznaz"
"""Text of the document zanzibar; its id remains, as that of a removed document."""


class Site:
    """Machines of a case, and the environment variables of their commands."""

    def __init__(self, place: Path, seconds: float, clocks: dict[str, int]) -> None:
        self.seconds, self.place = seconds, place
        self.store = Machine("store", 4, place)
        names = ["one", "two", "reader"]
        self.machines = {name: Machine(name, 10 + at, place, clocks.get(name, 0)) for at, name in enumerate(names)}
        command, own = self.store.command(sys.executable, str(HERE / "services.py"), self.store.address)
        self._services = subprocess.Popen(
            command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._services.stdout is not None
        port = self._services.stdout.readline().strip()
        self.environment = {
            "AWS_ENDPOINT": f"http://{self.store.address}:{port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "BACKTRAIL_STORE": "s3://corpora/here",
            "BACKTRAIL_DATABASE_URL": f"postgresql://tests@{self.store.address}/postgres",
            "BACKTRAIL_VECTOR_STORE": "binary",
            "PYTHONUNBUFFERED": "1",
        }

    def do(self, name: str, *step: str) -> list[dict[str, Any]]:
        """Run a step on a machine; return its events."""
        return events(self.machines[name].run(*STEPS, *step, **self.environment))

    def begin(self, name: str, *step: str) -> subprocess.Popen[str]:
        """Start a step on a machine."""
        command, own = self.machines[name].command(*STEPS, *step, **self.environment)
        return subprocess.Popen(command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def stored(self, word: str) -> int:
        """Return the number of objects in the store that contain a word."""
        assert self._services.stdin is not None
        assert self._services.stdout is not None
        self._services.stdin.write(word + "\n")
        return int(self._services.stdout.readline())

    def end(self) -> None:
        """Kill all machines."""
        for one in [*self.machines.values(), self.store]:
            one.end()


def events(text: str) -> list[dict[str, Any]]:
    """Parse lines of JSON."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def wait_for(process: subprocess.Popen[str], key: str) -> dict[str, Any]:
    """Return the next event with a key."""
    assert process.stdout is not None
    for line in process.stdout:
        for event in events(line):
            if key in event:
                return event
    raise AssertionError(f"The step ended without an event with {key!r}.")


def finish(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """Wait for the end of a step; return its remaining events."""
    return events(process.communicate(timeout=WAITED)[0])


def report(what: str, **values: object) -> None:
    """Print one line of the result."""
    print(f"{what}: " + ", ".join(f"{name} {value}" for name, value in values.items()), flush=True)


def together(site: Site) -> None:
    """Two machines publish to one corpus at the same time."""
    ids = {name: [f"{name}{number}" for number in range(20)] for name in ("one", "two")}
    both = [site.begin(name, "put", *ids[name]) for name in ids]
    results = [finish(one) for one in both]
    seen = site.do("reader", "read", *ids["one"], *ids["two"])[0]
    assert (len(seen["held"]), seen["wrong"]) == (40, []), seen
    report("together", documents=len(seen["held"]), results=results)


def reader(site: Site) -> None:
    """A replica offline while a document is erased keeps answering, then follows and erases it too."""
    site.do("one", "put", "first", "zanzibar")
    assert site.stored(SECRET)
    asking = site.begin("reader", "follow", "first", "zanzibar", "later")
    assert wait_for(asking, "sees")["sees"] == ["first", "zanzibar"]
    site.machines["reader"].cut()
    site.do("one", "put", "later")
    site.do("one", "forget", "zanzibar")
    assert site.stored(SECRET) == 0
    time.sleep(site.seconds)
    site.machines["reader"].mend()
    mended = time.monotonic()
    seen = wait_for(asking, "sees")
    while seen["sees"] != ["first", "later"]:
        seen = wait_for(asking, "sees")
    time.sleep(3)
    left = site.do("reader", "words", SECRET)[0]["found"]
    assert not left, left
    event = finish(asking)[-1]
    report("reader", followed_after_s=round(seen["at"] - mended, 1), **event)


def writer(site: Site) -> None:
    """A machine loses its network for a while as it publishes, and another one publishes meanwhile."""
    site.do("one", "put", "first")
    cut = site.begin("one", "put", "cut", "--stop=2")
    wait_for(cut, "sending")
    site.machines["one"].cut()
    began = time.monotonic()
    other = site.begin("two", "put", "other")
    time.sleep(site.seconds)
    site.machines["one"].mend()
    mine, others = finish(cut), finish(other)
    report("writer", cut=mine[-1], other=others[-1], seconds=round(time.monotonic() - began, 1))
    again = site.do("one", "put", "again")[-1]
    more = site.do("two", "put", "other")[-1] if "error" in others[-1] else None
    seen = site.do("reader", "read", "first", "cut", "other", "again")[0]
    assert {"first", "other", "again"} <= set(seen["held"]), seen
    assert not seen["wrong"], seen
    report("writer, then", again=again, other=more, **seen)


def lost(site: Site) -> None:
    """A machine loses power as it publishes, and never returns."""
    site.do("one", "put", "first")
    dead = site.begin("one", "put", "ghost", "--stop=2")
    wait_for(dead, "sending")
    site.machines["one"].lose()
    began = time.monotonic()
    for turn in range(4):
        event = finish(site.begin("two", "put", "next"))[-1]
        report("lost", turn=turn + 1, event=event, since=round(time.monotonic() - began, 1))
        if "published" in event:
            break
    seen = site.do("reader", "read", "first", "ghost", "next")[0]
    assert seen == {"held": ["first", "next"], "wrong": []}, seen


def clock(site: Site) -> None:
    """Publish, erase and follow with one clock ten minutes ahead and another ten minutes behind."""
    site.do("one", "put", "first", "zanzibar")
    asking = site.begin("reader", "follow", "first", "zanzibar", "second", "third")
    wait_for(asking, "sees")
    site.do("two", "put", "second")
    site.do("two", "forget", "zanzibar")
    assert site.stored(SECRET) == 0
    forgotten = time.monotonic()
    seen = wait_for(asking, "sees")
    while seen["sees"] != ["first", "second"]:
        seen = wait_for(asking, "sees")
    site.do("one", "put", "third")
    assert wait_for(asking, "sees")["sees"] == ["first", "second", "third"]
    report("clock", followed_after_s=round(seen["at"] - forgotten, 1), **finish(asking)[-1])
    assert not site.do("reader", "words", SECRET)[0]["found"]


def ray(site: Site) -> None:
    """Ingest on two Ray workers, one of which loses power: the corpus is the same as from one machine."""
    head, workers = site.machines["reader"], [site.machines["one"], site.machines["two"]]
    own = variables(head)
    site.environment |= own
    start_ray(head, workers, own)
    texts = [
        f"River {number} flows for {number * 7} miles and is fed by {number % 13} streams." for number in range(900)
    ]
    bundle = {f"river{at}": texts[3 * at : 3 * at + 3] for at in range(300)}
    write_bundle(site.place / "volume" / "rivers", bundle)
    event = site.do("reader", "ingest", f"{VOLUME}/rivers", "whole", "--engine=ray")[-1]
    begun = site.begin("reader", "ingest", f"{VOLUME}/rivers", "half", "--engine=ray")
    wait_for_vectors(site.place / "reader" / "home" / "backtrail" / "corpora" / "half", 1)
    site.machines["two"].lose()
    after = finish(begun)[-1]
    del site.environment["RAY_ADDRESS"]
    here = site.do("reader", "ingest", f"{VOLUME}/rivers", "here")[-1]
    ranked = [site.do("reader", "ranked", corpus)[-1] for corpus in ("here", "whole", "half")]
    assert not any(one["wrong"] for one in ranked), ranked
    same = [[[hit["id"] for hit in hits] for hits in one["ranked"]] for one in ranked]
    assert same[0] == same[1] == same[2]
    report("ray", two_machines=event, one_lost=after, without_ray=here, same_rankings=len(same[0]))


CASES: dict[str, Callable[[Site], None]] = {
    "together": together,
    "reader": reader,
    "writer": writer,
    "lost": lost,
    "clock": clock,
    "ray": ray,
}


def main() -> None:
    """Run the named cases, each at a new site."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("cases", nargs="*", default=list(CASES), metavar="CASE")
    options.add_argument("--seconds", type=float, default=60.0, help="duration of network failures")
    chosen = options.parse_args()
    enter()
    for name in chosen.cases:
        clocks = {"one": 600, "two": -600} if name == "clock" else {}
        with tempfile.TemporaryDirectory(prefix="machines-") as made:
            Path(made).chmod(0o755)
            site = Site(Path(made), chosen.seconds, clocks)
            try:
                CASES[name](site)
            finally:
                site.end()


if __name__ == "__main__":
    main()
