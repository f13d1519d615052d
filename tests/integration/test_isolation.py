"""Attempts at what belongs to somebody else, generated from the table of routes of a server that runs.

Every route, with every verb, is asked by its owner, by another holder, without a key, with a revoked key and by an
administrator. Routes come from the server itself, so a new one is covered, or fails the test until it is classified in
``fixtures/classified_routes.py``.
"""

import asyncio
import json
import os
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from fixtures.asking import SILENCE, Answer, Asking
from fixtures.belongings import Belongings, everything_of, filled, mixtures, own_one_of_each
from fixtures.classified_routes import ROUTES, Route
from fixtures.closed_server import Closed, made
from fixtures.hostile_bodies import GARBAGE, nested
from fixtures.langgraph_server import ROOT

from backtrail.tools.access.api_keys import add_key, revoke_key

pytestmark = pytest.mark.server
REFUSED = (400, 403, 404, 405, 409, 422)
VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
PLACES = {
    "corpus": "tiny",
    "file:path": "a.md",
    "namespace": "fif",
    "operation_id": "any",
    "sha256": "ab" * 32,
    "thread": "{thread_id}",
    "asset": "ui.css",
    "font": "OFL.txt",
}
"""What stands in paths and is nobody's, and another name of the same."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    folder = tmp_path_factory.mktemp("isolation")
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["http"]["app"] = "fixtures.route_table:app"
    (folder / "langgraph.json").write_text(json.dumps(config))
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))
    variables = {"ROUTES_FILE": str(folder / "routes"), "PYTHONPATH": path}
    server = made(folder, folder, variables, folder / "langgraph.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        server.keys["root"], server.keys["gone"] = add_key("root", admin=True), add_key("gone")
        revoke_key("gone")
    server.start()
    yield server
    server.kill()
    assert "BlockingError" not in server.log()


@pytest.fixture(scope="module")
def routes(server: Closed) -> list[str]:
    return (server.folder / "routes").read_text().splitlines()


def test_every_route_is_classified(routes: list[str]) -> None:
    live = {filled(route, PLACES) for route in routes}
    known = {filled(route, PLACES) for route in ROUTES}
    known |= {route.replace("GET ", "HEAD ", 1) for route in known if route.startswith("GET ")}
    assert live - known == set(), "Say in fixtures/classified_routes.py whom these routes answer."
    assert {route for route in known - live if not route.startswith("HEAD ")} == set(), "The server has these no more."


async def test_what_is_someones_is_for_nobody_else(server: Closed, anna: Any, bert: Any) -> None:
    annas = await own_one_of_each(anna, "anna", "annaberg")
    berts = await own_one_of_each(bert, "bert", "bertburg")
    before = await everything_of(anna, annas)
    found = await asyncio.gather(*(_try_all(server, name, annas, berts) for name in ("bert", "root", "gone", "")))
    problems = [problem for problems in found for problem in problems]
    assert not problems, "\n".join(problems)
    assert await everything_of(anna, annas) == before


async def test_owners_are_answered(server: Closed, anna: Any) -> None:
    """So a refusal to others is not one of a request that nobody could make."""
    annas = await own_one_of_each(anna, "anna", "annawald")
    problems: list[str] = []
    async with Asking(server, "anna", SILENCE) as asking:
        for name, route in ROUTES.items():
            if route.audience not in ("owner", "each"):
                continue
            for body in route.bodies:
                answer = await asking.ask(*filled((filled(name, PLACES), body, route.query), annas.ids))
                if answer.status not in route.owner_gets or re.search(route.says_no or "$.", answer.text):
                    problems.append(f"{name} {body}: {answer}")
    assert not problems, "\n".join(problems)


IDS = ("name", "thread_id", "run_id", "checkpoint_id", "assistant_id", "cron_id")
STRANGE_IDS = ["x", "%00", "%F0%9F%90%99", "0" * 300, str(uuid.uuid4()), "..%2F.."]


@pytest.mark.long
async def test_no_form_of_a_request_breaks_the_server(server: Closed) -> None:
    """By a holder, since others get no further than the key."""
    problems: list[str] = []
    async with Asking(server, "anna", SILENCE) as asking:
        for name, route in ROUTES.items():
            verb, _, path = filled(name, PLACES).partition(" ")
            strange: dict[str, str] = dict.fromkeys(IDS, "x")
            hostile = (*GARBAGE, *nested(name, route)) if verb not in ("GET", "WebSocketRoute") else ()
            forms = [(path, body) for body in hostile]
            forms += [
                (filled(path, dict.fromkeys(strange, id_)), route.bodies[0]) for id_ in STRANGE_IDS if "{" in path
            ]
            for form, body in forms:
                answer = await asking.ask(f"{verb} {filled(form, strange)}", body, filled(route.query, strange))
                if answer.status >= 500 and answer.status not in route.owner_gets:
                    problems.append(f"{name} {form} {str(body)[:50]}: {answer}")
    assert not problems, "\n".join(problems)


async def _try_all(server: Closed, name: str, theirs: Belongings, own: Belongings) -> list[str]:
    """What went wrong when somebody tried every route with what is another's."""
    problems: list[str] = []
    async with Asking(server, name) as asking:
        seen: set[str] = set()
        for listed, route in ROUTES.items():
            for asked in _verbs(filled(listed, PLACES), seen) if name in ("bert", "") else [filled(listed, PLACES)]:
                for body in route.bodies:
                    for request, whole in mixtures((asked, body, route.query), theirs.ids, own.ids):
                        if not whole and name != "bert":
                            continue  # whoever owns nothing here has nothing to mix it with
                        answer = await asking.ask(*request)
                        tried = whole and asked == filled(listed, PLACES)
                        if problem := _problem(name, route, tried, answer) or _shown(answer, request, theirs):
                            problems.append(f"{name or 'nobody'}: {asked} {body}: {problem}: {answer}")
    return problems


def _verbs(asked: str, seen: set[str]) -> list[str]:
    """A route by its own verb and, where its path is not among those seen, by the verbs that it is not there for."""
    verb, _, path = asked.partition(" ")
    if verb not in VERBS or path in seen:
        return [asked]
    seen.add(path)
    known = {filled(route, PLACES) for route in ROUTES}
    others = [f"{another} {path}" for another in VERBS if f"{another} {path}" not in known]
    return [asked, *others]


def _problem(name: str, route: Route, tried: bool, answer: Answer) -> str:
    """What is wrong with an answer to somebody who is not the owner; empty when nothing is.

    Args:
        tried: asked by the route's verb, with another's things alone; else an answer may be about one's own.
    """
    status = answer.status
    if status >= 500 and status not in route.owner_gets:
        return "breaks"
    if not tried:
        return ""
    if route.audience == "anyone":
        right = status < 400
    elif route.audience == "nobody":
        right = status == 403
    elif name in ("", "gone"):
        right = status in (401, 403)
    elif route.audience == "administrator":
        right = status == 403 or (name == "root" and status in (200, 409))
    elif route.audience == "owner":
        right = status in (*REFUSED, 501) or bool(route.says_no and re.search(route.says_no, answer.text))
    else:
        right = True
    return "" if right else "answers whom it should not, or does not answer"


def _shown(answer: Answer, request: tuple[str, Any, str], theirs: Belongings) -> str:
    """What of another's an answer shows that the request did not name."""
    sent = json.dumps(request)
    hidden = [theirs.secret, *(id_ for kind, id_ in theirs.ids.items() if kind != "name" and id_ not in sent)]
    return next((f"shows {one}" for one in hidden if one in answer.text), "")
