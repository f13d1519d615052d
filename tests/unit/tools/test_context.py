"""What clients may send as settings, and in which sentence the rest is refused."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.errors import BacktrailError
from backtrail.state.limits import Limits, size_of
from backtrail.state.settings import Settings
from backtrail.tools.settings.context import check_context


@pytest.mark.parametrize(
    "sent",
    [{}, Settings().model_dump(mode="json"), {"corpus": "towns", "fif": {"planner": False}}, {"reader": "openai:m"}],
)
def test_settings_may_be_sent_in_whole_or_in_part(sent: dict[str, Any]) -> None:
    check_context(sent)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"plannr": "offline"}, "There is no setting 'plannr'. Did you mean planner"),
        ({"fif": {"shortlst": 3}}, "There is no setting 'fif.shortlst'. Did you mean fif.shortlist"),
        ({"shortlist": 3}, "There is no setting 'shortlist'. Did you mean fif.shortlist"),
        ({"k": 0}, "k = 0 cannot be used: input should be greater than or equal to 1."),
        ({"corpus": "x" * 65}, "at most 64 characters."),
        ({"planner": "gpt-5"}, "'gpt-5' is not a model name."),
        ({"web": {"min_images": 9, "max_images": 2}}, "min_images 9 is more than max_images 2."),
        ({"corpus": "x" * 100_000}, "The context is longer than 65,536 characters."),
        (["corpus"], "The context has to be an object with settings, not list."),
    ],
)
def test_what_cannot_be_used_is_named_with_what_is_near(sent: Any, sentence: str) -> None:
    with pytest.raises(BacktrailError) as caught:
        check_context(sent)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 600


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from([*Settings.model_fields, "other"]), JSON))
def test_anything_else_is_refused_as_an_error_of_ours(sent: dict[str, Any]) -> None:
    with suppress(BacktrailError):
        check_context(sent)


def test_a_context_may_be_nested_deeply() -> None:
    deep: Any = {}
    for _ in range(20_000):
        deep = {"fif": deep}
    with pytest.raises(BacktrailError):
        check_context(deep)


def strings_and_lists(schema: dict[str, Any], definitions: dict[str, Any], key: str = "") -> list[tuple[str, Any]]:
    """Every string and list of a JSON schema, with its key."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    found = [(key, schema)] if schema.get("type") in ("string", "array") else []
    for name, part in schema.get("properties", {}).items():
        found += strings_and_lists(part, definitions, f"{key}.{name}")
    for part in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
        found += strings_and_lists(part, definitions, key)
    return found


def test_every_setting_has_a_longest_size() -> None:
    schema = Settings.model_json_schema()
    found = strings_and_lists(schema, schema["$defs"])
    assert {".corpus", ".reader", ".web.language", ".hm_rag.sources"} <= {key for key, _ in found}
    for key, part in found:
        bound = "maxItems" if part["type"] == "array" else "maxLength"
        assert bound in part or "enum" in part, key
    longest = sum(part.get("maxLength", 32) for _, part in found)
    assert longest + size_of(Settings().model_dump(), 10**9) < Limits().context // 4
