"""What was computed of a prompt is not computed again for the next: the replies are those of computing everything."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.optional_packages import skip_without
from fixtures.tiny_vlm import save_text_model, save_windowed_model
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from backtrail.tools.local.chat import LocalChatModel, open_local_chat
from backtrail.tools.local.engine import close_engines
from backtrail.tools.local.options import LocalOptions

skip_without("torch")

RULES = SystemMessage("You read the table of rivers and say which of them is the longest. Be brief.")
ONE, OTHER = HumanMessage("Which river is it? The Ondra has 83 km."), HumanMessage("Which river is it? The Sava?")


@pytest.fixture(scope="module", params=["every token", "a window"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("text")
    (save_text_model if request.param == "every token" else save_windowed_model)(made)
    yield made
    close_engines()


def opened(folder: Path, prefix: int) -> LocalChatModel:
    close_engines()
    return open_local_chat(folder, options=LocalOptions(device="cpu", prefix=prefix))


def said(reply: AIMessage) -> tuple[str, int, int]:
    usage = reply.usage_metadata
    assert usage is not None
    return str(reply.text), usage["input_tokens"], usage.get("input_token_details", {}).get("cache_read", 0)


def conversations(reply: str) -> list[list[BaseMessage]]:
    return [[RULES, ONE], [RULES, OTHER], [RULES, ONE, AIMessage(reply), HumanMessage("Again.")], [RULES, ONE]]


def test_prompts_that_begin_alike_get_the_replies_they_would_get_alone(folder: Path) -> None:
    told: dict[int, list[tuple[str, int, int]]] = {}
    for prefix in (0, 4096):
        model = opened(folder, prefix)
        told[prefix] = [said(model.invoke(asked, max_tokens=12)) for asked in conversations("The Ondra.")]
    assert [one[:2] for one in told[4096]] == [one[:2] for one in told[0]]
    assert [cached for _, _, cached in told[0]] == [0] * 4
    first, turned_off, corrected, repeated = told[4096]
    assert first[2] == 0
    assert 80 < turned_off[2] < turned_off[1]  # a character is a token here: the rules are shared
    assert turned_off[2] < corrected[2] < corrected[1]  # … and of a correction the question too
    assert repeated[2] == repeated[1] - 1  # all but the token that the reply follows


async def test_a_batch_computes_its_shared_beginning_once(folder: Path) -> None:
    batches: dict[int, list[tuple[str, int, int]]] = {}
    for prefix in (0, 4096):
        model = opened(folder, prefix)
        generations = model.engine.batcher.generations
        asked = [[RULES, ONE], [RULES, OTHER], [RULES, HumanMessage("Say!")]]
        replies = await asyncio.gather(*(model.ainvoke(one, max_tokens=12) for one in asked))
        assert model.engine.batcher.generations == generations + 1
        later = await model.ainvoke([RULES, OTHER, AIMessage("Sava"), HumanMessage("Sure?")], max_tokens=12)
        batches[prefix] = [said(one) for one in (*replies, later)]
    assert [one[:2] for one in batches[4096]] == [one[:2] for one in batches[0]]
    first, second, third, later = batches[4096]
    windowed = model.engine.loaded.checkpoint.model_type == "gemma3_text"  # there padding would stand in the window
    assert (first[2], second[2] == third[2], second[2] > 80) == (0, True, not windowed)
    assert later[2] > max(
        second[2], 80
    )  # what was computed of a row is kept without the padding that stood in its batch


def test_what_is_kept_is_bounded_and_the_oldest_goes_first(folder: Path) -> None:
    model = opened(folder, 150)
    prefixes = model.engine.prefixes
    assert prefixes is not None
    for text in ("a" * 200, "b" * 40, "c" * 40):
        model.invoke([HumanMessage(text)], max_tokens=2)
        assert sum(len(held.tokens) for held in prefixes._held) <= 150
    asked = [model.invoke([HumanMessage(text)], max_tokens=2) for text in ("c" * 40, "a" * 200)]
    assert [said(one)[2] > 30 for one in asked] == [True, False]
