"""Providers' real clients over HTTP: the form of the reply, pictures, tokens, failures and keys in each wire format."""

import asyncio
import gc
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from loopback.openai_server import HANGS_UP, Received, Said
from loopback.provider_servers import ANTHROPIC, GEMINI, OLLAMA, OPENAI, Format, ProviderServer
from PIL import Image

from backtrail.cli.commands.doctor_checks import _probes
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.tools.deciders.errors import ProviderMissing
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment
from backtrail.tools.errors import ModelRefused, ModelRejected, ModelUnavailable, SettingsError

PAGE = EvidenceText(id="p", modality="text", title="Orvane", sentences=["It moved in 1998."], score=0.5)
ASKED = AnswerInputs(question="When?", evidence=[PAGE])
GOOD = {
    "reasoning": "The page says so.", "short": "1998", "text": "It moved in 1998.",
    "citations": [{"component": "p", "row": None, "sentence": 0}], "supported": True, "confidence": 0.9,
}  # fmt: skip
# Google's client derives from a class of aiohttp and leaves its session to the end of the process; LangChain leaves
# the reading of an error's response.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*[Uu]nclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
NAMES = {OPENAI: "gpt-4o", ANTHROPIC: "claude-opus-4-8", GEMINI: "gemini-2.5-flash", OLLAMA: "llama3.2-vision"}
IN_EVERY_FORMAT = pytest.mark.parametrize("form", list(NAMES), ids=lambda form: form.name)
KEY = "bt-key-of-the-host-0123456789"


@pytest.fixture(scope="module", autouse=True)
def what_clients_left() -> Iterator[None]:
    yield
    gc.collect()  # here, where it is known, and not in the midst of some other module's test


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(variable, "the-providers-own-key")
    monkeypatch.setenv("BACKTRAIL_API_KEY", KEY)
    monkeypatch.setenv("BACKTRAIL_TRIES", "2")
    monkeypatch.setattr("backtrail.tools.deciders.requests.backoff.Backoff.wait", lambda self, n, after: 0)


def model_at(server: ProviderServer) -> str:
    provider = "openai-compatible" if server.form is OPENAI else server.form.name
    return f"{provider}:{NAMES[server.form]}@{server.root}"


async def decide(server: ProviderServer, pictures: tuple[PictureAttachment, ...] = (), **options: Any) -> Decided[Any]:
    return await open_decider(model_at(server), temperature=0.2, **options).decide(ANSWER, ASKED, pictures)


@IN_EVERY_FORMAT
async def test_a_decision_is_held_to_its_schema_sees_its_picture_and_is_charged(form: Format) -> None:
    packed = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(packed, "PNG")
    with ProviderServer(form, [form.says(GOOD)]) as server:
        decided = await decide(server, (PictureAttachment(packed.getvalue(), "image/png", "the ground"),))
    assert (decided.output.short, decided.output.citations[0].component) == ("1998", "p")
    (request,) = server.chats
    assert '"p"' in json.dumps(form.schema(request)), "what was offered is an enumeration"
    spent = decided.charge
    assert (spent["calls"], spent["input_tokens"], spent["output_tokens"]) == (1, 100, 20)
    assert spent.get("cached_tokens", 0) == (0 if form is OLLAMA else 40)
    assert spent.get("reasoning_tokens", 0) == (7 if form is GEMINI else 0)
    (picture,) = form.pictures(request)
    assert Image.open(io.BytesIO(picture)).size == (8, 8)
    sent = json.dumps([request.path, dict(request.headers)])
    assert "the-providers-own-key" not in sent, "it goes to no other address"
    assert (KEY in sent) == (form is not OLLAMA), "the host's key for addresses does, where the provider takes one"


async def test_cached_and_kept_tokens_have_their_own_prices() -> None:
    with ProviderServer(ANTHROPIC, [ANTHROPIC.says(GOOD)]) as server:
        decided = await decide(server)
    fresh, cached, kept, written = 50 * 5.0, 40 * 0.5, 10 * 6.25, 20 * 25.0
    assert decided.charge["cost_usd"] == pytest.approx((fresh + cached + kept + written) / 1_000_000)


@IN_EVERY_FORMAT
async def test_a_server_without_schemas_is_asked_in_another_form(form: Format) -> None:
    def picky(request: Any) -> Any:
        if form.schema(request) not in (None, "json"):
            return form.fails(400, "json schema is not supported by this model")
        return form.says(GOOD)

    with ProviderServer(form, [picky], forever=True) as server:
        assert (await decide(server)).output.short == "1998"
        assert (await decide(server)).charge["calls"] == 1, "once learnt it is not tried again"


@pytest.mark.parametrize(
    ("form", "finish"),
    [(OPENAI, "length"), (ANTHROPIC, "max_tokens"), (GEMINI, "MAX_TOKENS"), (OLLAMA, "length")],
    ids=lambda one: getattr(one, "name", one),
)
async def test_a_reply_that_was_cut_off_is_asked_for_again(form: Format, finish: str) -> None:
    with ProviderServer(form, [form.says('{"reasoning": "The', finish=finish), form.says(GOOD)]) as server:
        assert (await decide(server)).charge["calls"] == 2
    assert "4096" in json.dumps(server.chats[1].body), "with room told in the provider's own word"


@IN_EVERY_FORMAT
def test_nothing_is_asked_over_a_connection_that_is_being_closed(form: Format) -> None:
    async def twice(decider: Decider) -> list[int]:
        return [(await decider.decide(ANSWER, ASKED)).charge["calls"] for _ in range(2)]

    with ProviderServer(form, [form.says(GOOD)], forever=True, lingers=30.0) as server, ThreadPoolExecutor() as pool:
        decider = open_decider(model_at(server), temperature=0.2)
        loops = list(pool.map(lambda _: asyncio.run(twice(decider)), range(2)))
    assert loops == [[1, 1], [1, 1]], "nor over one of another event loop"


@pytest.mark.parametrize(
    ("form", "finish"), [(ANTHROPIC, "refusal"), (GEMINI, "SAFETY")], ids=lambda one: getattr(one, "name", one)
)
async def test_a_refusal_is_one(form: Format, finish: str) -> None:
    with ProviderServer(form, [form.says("", finish=finish)]) as server, pytest.raises(ModelRefused):
        await decide(server)


@IN_EVERY_FORMAT
async def test_trouble_is_told_apart(form: Format) -> None:
    with ProviderServer(form, [form.fails(503, "overloaded"), form.says(GOOD)]) as server:
        assert (await decide(server)).charge["calls"] == 2, "the client's own tries do not hide any"
    with ProviderServer(form, [HANGS_UP, form.says(GOOD)]) as server:
        assert (await decide(server)).charge["calls"] == len(server.chats) == 2
    with ProviderServer(form, [form.fails(503, "overloaded")], forever=True) as server, pytest.raises(ModelUnavailable):
        await decide(server)
    with ProviderServer(form, [form.fails(401, f"bad key {KEY}")], forever=True) as server:
        with pytest.raises(ModelRejected) as raised:
            await decide(server)
        assert len(server.chats) == 1
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    ("form", "settings"),
    [
        (OPENAI, {"reasoning_effort": "low", "seed": 7}),
        (ANTHROPIC, {"output_config": "low"}),
        (OLLAMA, {"think": "low", "options": 7}),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
async def test_effort_and_seed_are_told_and_given_up_when_refused(form: Format, settings: dict[str, Any]) -> None:
    def refuses(request: Any) -> Any:
        for word, value in settings.items():
            if json.dumps(value) in json.dumps(request.body.get(word)):
                return form.fails(400, f"{'seed' if value == 7 else 'reasoning effort'} is not supported")
        return form.says(GOOD)

    with ProviderServer(form, [refuses], forever=True) as server:
        decided = await decide(server, effort="low", seed=7)
    assert decided.charge["calls"] == 1 + len(settings)
    for word, value in settings.items():
        assert json.dumps(value) in json.dumps(server.chats[0].body[word])


async def test_a_missing_key_or_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="MISTRAL_API_KEY"):
        open_decider("mistralai:mistral-large", temperature=0)
    monkeypatch.setenv("MISTRAL_API_KEY", "x")
    monkeypatch.setitem(__import__("sys").modules, "langchain_mistralai", None)
    with pytest.raises(ProviderMissing, match="pip install langchain-mistralai"):
        await open_decider("mistralai:mistral-large", temperature=0).decide(ANSWER, ASKED)


@IN_EVERY_FORMAT
def test_a_probe_says_what_a_server_takes_and_what_it_refused_is_not_sent_again(
    form: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strict(request: Received) -> Said:
        if "temperature" in json.dumps(request.body):
            return form.fails(400, "temperature is not supported")
        if form.pictures(request):
            return form.fails(400, "this model takes no image input")
        return form.says({"question": "How long is the Ondra?"})

    with ProviderServer(form, [strict], forever=True) as server:
        for role in ("planner", "reader"):
            monkeypatch.setenv(f"BACKTRAIL_{role.upper()}", model_at(server))
        [found] = _probes()
        assert found.state == "ok", found.detail
        said, _, left_out = found.detail.partition("; not sent: ")
        assert "replies by a JSON schema" in said
        assert {"pictures", "temperature"} <= set(left_out.partition(" (")[0].split(", "))
        assert "100 tokens in, 20 out" in left_out
        asked = len(server.chats)
        assert form.pictures(server.chats[0])
        [again] = _probes()  # the process has learnt
        assert (again, len(server.chats)) == (found, asked + 1)
