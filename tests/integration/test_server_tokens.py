"""Bearer tokens of an issuer on a server that runs, and what it says of its runs to Prometheus and to its log."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from fixtures.closed_server import CONTEXT, QUESTION, Closed, made
from langgraph_sdk import get_client
from loopback.issuer import AUDIENCE, Issuer

from backtrail.tools.access import tokens

pytestmark = pytest.mark.server
POLICY = """
[everyone]
methods = ["bm25"]
[groups.research]
methods = ["bm25", "fif"]
"""


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def server(issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    """Without any key: the issuer's tokens alone close it."""
    folder = tmp_path_factory.mktemp("tokens")
    server = made(folder, folder, {tokens.ISSUER: issuer.url, tokens.AUDIENCE: AUDIENCE})
    (folder / "home" / "api_keys.toml").unlink()
    (folder / "home" / "policy.toml").write_text(POLICY)
    server.start()
    yield server
    server.kill()
    assert "BlockingError" not in server.log()


async def test_subjects_are_let_in_and_kept_apart(server: Closed, issuer: Issuer) -> None:
    search = json.dumps({}).encode()
    kind = {"Content-Type": "application/json"}
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": f"Bearer {issuer.token(aud='x')}"}):
        assert server.ask("POST", "/threads/search", {**kind, **headers}, search)[0] == 401
    ada, bob = (get_client(url=server.url, api_key=issuer.token(name, groups=[group])) for name, group in
                (("ada", "research"), ("bob", "staff")))  # fmt: skip
    thread = (await ada.threads.create())["thread_id"]
    answered = await ada.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT)
    assert answered["answer"]
    assert (await ada.threads.get(thread))["metadata"]["owner"] == "oidc-ada"
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await bob.threads.get(thread)
    assert raised.value.response.status_code == 404
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await bob.runs.wait(None, "fif", input=QUESTION, context=CONTEXT)
    assert (raised.value.response.status_code, "method 'fif'" in raised.value.response.text) == (403, True)
    assert (await bob.runs.wait(None, "bm25", input=QUESTION, context=CONTEXT))["answer"]
    for client in (ada, bob):
        await client.aclose()


def test_a_subject_signs_in_to_the_page_with_a_token(server: Closed, issuer: Issuer) -> None:
    html = {"Accept": "text/html"}
    with httpx.Client(base_url=server.url, headers=html, follow_redirects=True, timeout=60) as person:

        def sign_in(key: str) -> httpx.Response:
            token = re.findall(r'name="token" value="([^"]+)"', person.get("/ui/sign-in").text)[0]
            return person.post("/ui/sign-in", data={"token": token, "key": key, "next": "/ui/runs"})

        for key in ("nonsense", "ä", issuer.token("eve", aud="x"), "x" * 5000):
            refused = sign_in(key)
            assert (refused.status_code, "not known here" in refused.text) == (403, True)
        inside = sign_in(issuer.token("ada", groups=["research"]))
        assert (inside.status_code, inside.url.path) == (200, "/ui/runs")
        assert QUESTION["question"] in inside.text, "what she asked above"


def test_runs_are_told_in_figures_and_in_the_log(server: Closed, issuer: Issuer) -> None:
    assert server.ask("GET", "/metrics")[0] == 401
    status, _, body = server.get("/metrics", {"Authorization": f"Bearer {issuer.token('prometheus')}"})
    assert status == 200
    assert 'backtrail_runs_total{method="fif",outcome="done"} 1.0' in body.decode()
    assert 'backtrail_node_seconds_count{method="fif",node="decompose"} 1.0' in body.decode()
    assert "run_ended" in server.log()
    assert QUESTION["question"] not in body.decode()
