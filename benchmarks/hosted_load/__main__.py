"""Run it: see the package."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hosted_load.figures import disturbed, percentiles, repeated, seconds
from hosted_load.largest import send_largest
from hosted_load.model import Model
from hosted_load.servers import Hosted, hosting
from hosted_load.users import Outcome, User

MOST_USERS, MOST_SERVERS, MOST_SECONDS = 100, 8, 600.0
ALONE, DOWN = 15, 3.0
"""Questions of the idle user; seconds for which what was killed stays away."""


async def load(hosted: Hosted, users: int, lasts: float, every: float, beside: float, pause: float) -> dict[str, Any]:
    """One user alone, then many while servers and the database are killed, then some beside a greedy one."""
    urls = [server.url for server in hosted.servers]
    alone = User(0, urls, hosted.keys[0], "alone")
    for _ in range(len(urls) + 2):  # the first question of a process loads models
        await alone.ask()
        alone._at += 1
    warm = len(alone.outcomes)
    for _ in range(ALONE):
        await alone.ask()
    idle = alone.outcomes[warm:]
    everybody = [User(number, urls, hosted.keys[number % len(hosted.keys)]) for number in range(users)]
    ends = time.monotonic() + lasts
    await asyncio.gather(_killing(hosted, ends, every), *(user.ask_until(ends, pause) for user in everybody))
    loaded = [outcome for user in everybody for outcome in user.outcomes]
    for user in everybody:
        for outcome in user.outcomes:
            await user.look_again(outcome)
    neighbour, largest = await _beside(hosted, urls, beside)
    for user in (alone, neighbour, *everybody):
        await user.aclose()
    return {"idle": idle, "loaded": loaded, "beside": neighbour.outcomes, "largest": largest}


async def _killing(hosted: Hosted, ends: float, every: float) -> None:
    """Kill one server after the other, and the database in between."""
    turn = 0
    while time.monotonic() + every + 10 < ends:
        await asyncio.sleep(every)
        turn += 1
        if turn % 3 == 2:
            await asyncio.to_thread(hosted.crash_postgres)
            await asyncio.sleep(DOWN)
            await asyncio.to_thread(hosted.postgres.start)
        else:
            number = turn % len(hosted.servers)
            await asyncio.to_thread(hosted.kill, number)
            await asyncio.sleep(DOWN)
            await asyncio.to_thread(hosted.servers[number].start)


async def _beside(hosted: Hosted, urls: Sequence[str], lasts: float) -> tuple[User, list[tuple[int, float]]]:
    """A user of one server, while another key sends it the largest questions that are permitted."""
    neighbour = User(1, urls[:1], hosted.keys[1], "beside")
    if not lasts:
        return neighbour, []
    ends = time.monotonic() + lasts
    greedy = [asyncio.create_task(send_largest(urls[0], hosted.keys[2], ends)) for _ in range(2)]
    await neighbour.ask_until(ends, 0.5)
    return neighbour, [one for sent in await asyncio.gather(*greedy) for one in sent]


def told(found: dict[str, Any], model: Model, hosted: Hosted) -> dict[str, Any]:
    """The figures."""
    loaded: list[Outcome] = found["loaded"]
    idle = percentiles(seconds(found["idle"]))
    touched = disturbed(loaded, hosted.kills)
    calm = [one for one in loaded if one not in touched]
    again = repeated(model.calls, hosted.kills)
    times = {"loaded": loaded, "loaded_calm": calm, "loaded_disturbed": touched, "beside": found["beside"]}
    return {
        "questions": len(loaded),
        "kills": Counter("postgres" if who == "postgres" else "server" for _, who in hosted.kills),
        "disturbed": len(touched),
        "status": Counter(one.status for one in loaded),
        "lost": [one.thread for one in loaded if one.status != "success"],
        "wrong": [(one.question.text, one.asked, one.answer) for one in loaded if not one.right],
        "made_twice": [one.thread for one in loaded if one.runs != 1],
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
        "largest_memory_mib": round(hosted.largest() / 2**20),
    }


def run(
    users: int, servers: int, lasts: float, every: float, beside: float, latency: float, pause: float
) -> dict[str, Any]:
    """Host, load, and tell."""
    with Model(latency) as model, hosting(model, servers, {}) as hosted:
        return told(asyncio.run(load(hosted, users, lasts, every, beside, pause)), model, hosted)


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(prog="hosted_load", description="Load a hosted server whose processes are killed.")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--kill-every", type=float, default=15.0)
    parser.add_argument("--beside", type=float, default=60.0, help="seconds beside the largest questions")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds that the model takes for a reply")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds that users think between questions")
    chosen = parser.parse_args()
    if chosen.users > MOST_USERS or chosen.servers > MOST_SERVERS or chosen.seconds > MOST_SECONDS:
        parser.error(f"at most {MOST_USERS} users, {MOST_SERVERS} servers and {MOST_SECONDS:.0f} seconds")
    found = run(
        chosen.users, chosen.servers, chosen.seconds, chosen.kill_every, chosen.beside, chosen.latency, chosen.pause
    )
    print(json.dumps(found, indent=1))
    return 1 if found["lost"] or found["wrong"] or found["made_twice"] or found["paid_twice"] else 0


if __name__ == "__main__":
    sys.exit(main())
