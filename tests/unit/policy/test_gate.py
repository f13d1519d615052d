"""The gate: what a client may choose of its run, and that nothing passes a ceiling of the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.settings import Budget, Settings
from backtrail.tools.access.policy.allowed import allowed
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.access.policy.file import parse_policy
from backtrail.tools.access.policy.gate import assistant_id, check_budget, settings_of_run
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.keys import known_keys

POLICY = """
[everyone]
methods = ["fif", "hybrid"]
corpora = ["handbook", "public-*"]
models = ["offline", "openai:gpt-5-mini"]
roles = ["reader"]
settings = ["k", "fif.*"]
most = { usd = 0.25, steps = 12 }
[groups.research]
members = ["anna"]
methods = []
[assistants.helpdesk]
method = "mmapg"
for = ["research"]
changeable = ["k"]
settings = { corpus = "secret", reader = "openai:gpt-5", budget.steps = 50 }
"""


def of(name: str, sent: dict[str, Any], method: str = "fif", assistant: str = "") -> Settings:
    policy = parse_policy(POLICY, Path("policy.toml"))
    return settings_of_run(policy, allowed(policy, name, closed=True), method, assistant, sent)


def test_what_is_granted_is_chosen_and_ceilings_are_put_on_top() -> None:
    settings = of("carl", {"corpus": "public-1", "reader": "openai:gpt-5-mini", "k": 3, "fif": {"shortlist": 5}})
    assert (settings.corpus, settings.reader, settings.k, settings.fif.shortlist) == (
        "public-1", "openai:gpt-5-mini", 3, 5,
    )  # fmt: skip
    assert settings.budget == Budget(usd=0.25, steps=10)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"corpus": "secret"}, "The corpus 'secret' is not allowed for you. Allowed are: handbook, public-*."),
        ({}, "The corpus 'examples' is not allowed for you."),
        ({"corpus": "handbook", "planner": "openai:gpt-5-mini"}, "The model of the role planner may not be chosen"),
        ({"corpus": "handbook", "reader": "openai:gpt-5"}, "The model 'openai:gpt-5' is not allowed for you"),
        ({"corpus": "handbook", "reader": "local:/models/x"}, "The model 'local:/models/x' is not allowed for you"),
        ({"corpus": "handbook", "temperature": 1.0}, "The setting temperature may not be chosen here."),
        ({"corpus": "handbook", "web": {"provider": "serper"}}, "The setting web.provider may not be chosen"),
    ],
)
def test_what_is_not_granted_is_refused(sent: dict[str, Any], said: str) -> None:
    with pytest.raises(PolicyRefused) as raised:
        of("carl", sent)
    assert said in str(raised.value)


def test_methods_are_granted_too_and_a_form_that_sends_every_default_chooses_nothing() -> None:
    assert of("carl", {**Settings().model_dump(mode="json"), "corpus": "handbook"}).corpus == "handbook"
    with pytest.raises(PolicyRefused, match="The method 'mmapg' is not allowed for you"):
        of("carl", {"corpus": "handbook"}, "mmapg")
    with pytest.raises(PolicyRefused, match="Allowed are: none"):
        of("anna", {"corpus": "handbook"})


@pytest.mark.parametrize("id_", ["helpdesk", assistant_id("helpdesk")])
def test_an_assistant_of_the_host_has_its_own_settings_and_clients_only_what_is_free(id_: str) -> None:
    settings = of("anna", {"k": 3}, "mmapg", id_)
    assert (settings.corpus, settings.reader, settings.k) == ("secret", "openai:gpt-5", 3)
    assert settings.budget.steps == 12, "also the host's assistants stay under the ceilings"
    for sent in ({"corpus": "handbook"}, {"budget": {"steps": 3}}, {"reader": "offline"}, {"k": 3, "seed": 1}):
        with pytest.raises(PolicyRefused, match="has fixed settings"):
            of("anna", sent, "mmapg", id_)
    with pytest.raises(PolicyRefused, match="is not allowed for you"):
        of("carl", {}, "mmapg", id_)


def test_the_only_corpus_need_not_be_named() -> None:
    policy = Policy.model_validate({"everyone": {"corpora": ["handbook"]}})
    whom = allowed(policy, "carl", closed=True)
    assert settings_of_run(policy, whom, "fif", "", {}).corpus == "handbook"


def test_with_keys_and_no_policy_the_web_and_other_addresses_are_refused() -> None:
    whom = allowed(None, "anna", closed=True)
    with pytest.raises(PolicyRefused, match="you may not search the web here"):
        settings_of_run(None, whom, "hm_rag", "", {"web": {"provider": "serper"}})
    with pytest.raises(SettingsError, match="names a folder of this server"):
        settings_of_run(None, whom, "fif", "", {"reader": "local:/models"})


def test_a_ceiling_above_the_hosts_is_told_before_the_run() -> None:
    policy = parse_policy(POLICY, Path("policy.toml"))
    whom = allowed(policy, "carl", closed=True)
    check_budget(whom, {"budget": {"usd": 0.1, "steps": 12}})
    with pytest.raises(PolicyRefused, match=r"budget.usd = 3 exceeds the limit of a run here: 0.25."):
        check_budget(whom, {"budget": {"usd": 3}})


values = st.one_of(st.none(), st.booleans(), st.integers(-5, 500), st.floats(0, 9), st.text(max_size=5))
sent = st.dictionaries(st.sampled_from(list(known_keys())), values, max_size=8)


@given(chosen=sent, name=st.sampled_from(["anna", "carl"]), assistant=st.sampled_from(["", "helpdesk"]))
def test_nothing_that_is_sent_passes_a_ceiling(chosen: dict[str, Any], name: str, assistant: str) -> None:
    from backtrail.tools.settings.keys import nest

    try:
        settings = of(name, nest(chosen), "fif", assistant)
    except SettingsError:
        return
    assert settings.budget.steps <= 12
    assert settings.budget.usd <= 0.25
    assert settings.reader in ("offline", "openai:gpt-5-mini", "openai:gpt-5")
    assert settings.corpus == "secret" if assistant else settings.corpus.startswith(("handbook", "public-"))
    assert settings.web.provider in ("corpus", "none")
