"""Command line of the load test; see the package."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, fields
from typing import Any

from hosted_load.figures import disturbed, percentiles, repeated, seconds
from hosted_load.largest import send_largest
from hosted_load.model import Model
from hosted_load.servers import Hosted, hosting
from hosted_load.users import Outcome, User

MOST_USERS, MOST_SERVERS, MOST_SECONDS = 100, 8, 600.0
DOWN = 3.0
"""Maximum seconds before a killed process is restarted."""


@dataclass(frozen=True)
class Load:
    """Parameters of the load: users with pauses between their questions, servers that are killed in turn.

    Args:
        alone: questions of the single user at first.
        lasts, every, beside, latency, pause: seconds of the load, between kills, beside the largest questions, of a
            reply of the model, and of the longest pause of a user.
    """

    users: int = 50
    servers: int = 4
    lasts: float = 300.0
    every: float = 15.0
    beside: float = 60.0
    latency: float = 0.2
    pause: float = 10.0
    alone: int = 15


async def loaded(hosted: Hosted, load: Load) -> dict[str, Any]:
    """Measure one user, many users while servers and database are killed, and one beside a greedy one."""
    urls = [server.url for server in hosted.servers]
    everybody = [User(number, urls, hosted.keys[number % len(hosted.keys)]) for number in range(load.users)]
    alone, neighbour = User(0, urls, hosted.keys[0], "alone"), User(1, urls[:1], hosted.keys[1], "beside")
    try:
        for _ in range(load.servers + 1):  # the first question of a process loads corpus and models
            await alone.ask()
        warm = len(alone.outcomes)
        for _ in range(load.alone):
            await alone.ask()
        ends = time.monotonic() + load.lasts
        await asyncio.gather(
            _killing(hosted, ends, load.every), *(one.ask_until(ends, load.pause) for one in everybody)
        )
        for user in everybody:
            for outcome in user.outcomes:
                await user.look_again(outcome)
        idle_memory = hosted.largest()
        largest = await _beside(hosted, neighbour, load.beside)
    finally:
        for user in (alone, neighbour, *everybody):
            await user.aclose()
    return {
        "idle": alone.outcomes[warm:],
        "loaded": [outcome for user in everybody for outcome in user.outcomes],
        "beside": neighbour.outcomes,
        "largest": largest,
        "memory": (idle_memory, hosted.largest()),
    }


async def _killing(hosted: Hosted, ends: float, every: float) -> None:
    """Kill one server after the other, and the database in between, and restart them."""
    turn, down = 0, min(DOWN, every)
    coming: dict[int, asyncio.Task[None]] = {}
    while time.monotonic() + every + down < ends:
        await asyncio.sleep(every)
        turn += 1
        if turn % 3 == 2:
            await asyncio.to_thread(hosted.crash_postgres)
            await asyncio.sleep(down)
            await asyncio.to_thread(hosted.postgres.start)
        else:
            number = turn % len(hosted.servers)
            if number in coming:
                await coming[number]
            await asyncio.to_thread(hosted.kill, number)
            await asyncio.sleep(down)
            coming[number] = asyncio.create_task(asyncio.to_thread(hosted.revive, number))
    await asyncio.gather(*coming.values())


async def _beside(hosted: Hosted, neighbour: User, lasts: float) -> list[tuple[int, float]]:
    """Run a user of one server, while another key sends it the largest permitted questions."""
    if not lasts:
        return []
    ends, url = time.monotonic() + lasts, hosted.servers[0].url
    greedy = [asyncio.create_task(send_largest(url, hosted.keys[2], ends)) for _ in range(2)]
    await neighbour.ask_until(ends, 1.0)
    return [one for sent in await asyncio.gather(*greedy) for one in sent]


def figures(found: dict[str, Any], model: Model, hosted: Hosted) -> dict[str, Any]:
    """Compute the figures of the report."""
    asked: list[Outcome] = found["loaded"]
    idle = percentiles(seconds(found["idle"]))
    touched = disturbed(asked, hosted.kills)
    calm = [one for one in asked if one not in touched]
    again = repeated(model.calls, hosted.kills)
    times = {"loaded": asked, "loaded_calm": calm, "loaded_disturbed": touched, "beside": found["beside"]}
    return {
        "questions": len(asked),
        "kills": Counter("postgres" if who == "postgres" else "server" for _, who in hosted.kills),
        "disturbed": len(touched),
        "status": Counter(one.status for one in asked),
        "lost": [one.thread for one in asked if one.status != "success"],
        "wrong": [(one.question.text, one.asked, one.answer) for one in asked if not one.right],
        "made_twice": [one.thread for one in asked if one.runs != 1],
        "calls": len(model.calls),
        "repeated_in_flight": sum(one.in_flight for one in again),
        "paid_twice": [vars(one) for one in again if not one.in_flight],
        "unknown_to_the_model": model.strange,
        "idle_seconds": {"p50": round(idle[0], 3), "p95": round(idle[1], 3)},
        "ratios": {
            name: {"p50": round(one[0] / idle[0], 2), "p95": round(one[1] / idle[1], 2)}
            for name, outcomes in times.items()
            if seconds(outcomes)
            for one in [percentiles(seconds(outcomes))]
        },
        "largest_sent": Counter(status for status, _ in found["largest"]),
        "memory_mib": {
            name: round(size / 2**20) for name, size in zip(("loaded", "beside"), found["memory"], strict=True)
        },
    }


def run(load: Load) -> dict[str, Any]:
    """Start the servers, run the load, and return the figures."""
    with Model(load.latency) as model, hosting(model, load.servers) as hosted, warnings.catch_warnings():
        # A server may die before sending anything from which a stream could resume. Users only wait for the end.
        warnings.filterwarnings("ignore", message="Reconnecting without a Last-Event-ID", category=UserWarning)
        return figures(asyncio.run(loaded(hosted, load)), model, hosted)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="hosted_load", description="Load a hosted server whose processes are killed.")
    for field in fields(Load):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    load = Load(**vars(parser.parse_args()))
    if load.users > MOST_USERS or load.servers > MOST_SERVERS or load.lasts > MOST_SECONDS:
        parser.error(f"at most {MOST_USERS} users, {MOST_SERVERS} servers and {MOST_SECONDS:.0f} seconds")
    found = run(load)
    print(json.dumps(found, indent=1))
    return 1 if found["lost"] or found["wrong"] or found["made_twice"] or found["paid_twice"] else 0


if __name__ == "__main__":
    sys.exit(main())
