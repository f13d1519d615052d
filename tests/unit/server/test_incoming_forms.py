"""What a run is begun with is refused in words where a server hands it on in a form that it cannot have."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph_sdk import Auth

from backtrail.server.incoming import check_assistant, check_run, refusing


@pytest.mark.parametrize("part", ["config", "command"])
@pytest.mark.parametrize("sent", ["x", [1], 7])
async def test_a_part_that_is_no_object(part: str, sent: Any) -> None:
    run = {"assistant_id": "fif", "kwargs": {"input": {"question": "Why?"}, part: sent}}
    with pytest.raises(Auth.exceptions.HTTPException) as caught:
        await refusing(check_run, run)
    assert (caught.value.status_code, caught.value.detail) == (422, f"{part!r} is an object, by names.")


async def test_an_assistants_config_that_is_no_object() -> None:
    with pytest.raises(Auth.exceptions.HTTPException, match="'config' is an object"):
        await refusing(check_assistant, {"graph_id": "fif", "config": "x"})


@pytest.mark.parametrize("sent", [None, {}])
async def test_an_empty_one_is_none(sent: Any) -> None:
    await refusing(check_run, {"assistant_id": "fif", "kwargs": {"input": {"question": "Why?"}, "config": sent}})
