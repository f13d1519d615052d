"""The policy: what its file may say, and the gate, which lets nothing pass a ceiling of the host."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.settings import Budget, Settings
from backtrail.tools.access.policy.allowed import allowed
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.policy.errors import PolicyError, PolicyRefused
from backtrail.tools.access.policy.file import PolicyWatch, parse_policy, policy_file, read_policy
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
web = false
most = { usd = 0.25, steps = 12, question = 4000 }
quota = { runs = 100, usd = 5 }
rate = { requests = 600, concurrent_runs = 4 }

[groups.research]
members = ["anna", "bert"]
methods = []
web = true
[groups.research.quota]
usd = 50

[keys.anna.most]
usd = 0.2

[assistants.helpdesk]
method = "mmapg"
description = "Answers from the handbook."
for = ["research"]
changeable = ["k"]
settings = { corpus = "secret", reader = "openai:gpt-5", budget.steps = 50 }
"""


def test_a_key_stands_over_its_group_and_the_group_over_everyone() -> None:
    policy = parse_policy(POLICY, Path("policy.toml"))
    anna, carl = (allowed(policy, name, closed=True) for name in ("anna", "carl"))
    assert (anna.group, anna.web, anna.most.usd, anna.most.steps, anna.quota.usd, anna.quota.runs) == (
        "research", True, 0.2, 12, 50, 100,
    )  # fmt: skip
    assert (carl.group, carl.web, carl.most.usd, carl.quota.usd) == ("", False, 0.25, 5)
    assert anna.rate.requests == carl.rate.requests == 600
    assert anna.is_meant(policy.assistants["helpdesk"])
    assert not carl.is_meant(policy.assistants["helpdesk"])


def test_without_a_policy_keys_take_the_web_and_ingestion_away() -> None:
    with_keys, without = (allowed(None, "anna", closed=closed) for closed in (True, False))
    assert (with_keys.web, with_keys.ingest, with_keys.models) == (False, False, None)
    assert (without.web, without.ingest) == (True, True)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[everyone]\nweb = true\nmethds = []", 3, "everyone.methds is unknown."),
        ("[everyone.most]\n\nusd = -1", 3, "everyone.most.usd = '-1' cannot be used: input should be greater"),
        ("[everyone]\nweb = 'perhaps'", 2, "everyone.web = 'perhaps' cannot be used"),
        ("\n[everyone]\nsettings = ['fif.shortlst']", 3, "lists 'fif.shortlst', which is not a setting."),
        ("[everyone]\nroles = ['redaer']", 2, "lists 'redaer', which is not a role; roles are planner, reader"),
        ("[everyone]\nmodels = ['gpt-5']", 2, "lists 'gpt-5', which is not a model."),
        ("[everyone.defaults]\nk = 0", 2, "everyone.defaults.k = '0' cannot be used"),
        ("[groups.a]\nmembers = ['x']\n[groups.b]\nmembers = ['x']", 2, "lists 'x', who is in another group too"),
        ("[assistants.desk]\nabout = 'x'", 1, "assistants.desk.method"),
        (
            "[assistants.desk]\nmethod = 'fif'\n[assistants.desk.settings]\nreader = 'gpt'",
            3,
            "'gpt' is not a model name",
        ),
    ],
)
def test_a_problem_is_told_with_its_line_and_key(text: str, line: int, said: str) -> None:
    with pytest.raises(PolicyError) as raised:
        parse_policy(text, Path("policy.toml"))
    assert f"policy.toml, line {line}: " in str(raised.value)
    assert said in str(raised.value)


def test_every_problem_is_told_at_once_and_what_is_no_toml_with_its_place() -> None:
    with pytest.raises(PolicyError) as raised:
        parse_policy("[everyone]\nroles = ['x']\nmodels = ['y']", Path("policy.toml"))
    assert str(raised.value).count("line ") == 2
    with pytest.raises(PolicyError, match=r"is not TOML: .*line 2"):
        parse_policy("[everyone]\nweb = = true", Path("policy.toml"))


def test_a_changed_file_counts_at_once_and_a_broken_one_not_at_all() -> None:
    watch, file = PolicyWatch(), policy_file()
    assert watch.in_force() is None
    file.parent.mkdir(parents=True, exist_ok=True)
    for moment, (text, usd) in enumerate([("usd = 1", 1), ("usd = 2", 2), ("usd = -1", 2), ("usd = 3", 3)]):
        file.write_text(f"[everyone.most]\n{text}")
        os.utime(file, ns=(moment, moment))
        policy = watch.in_force()
        assert policy.everyone.most.usd == usd
        assert bool(watch.problem) == (text == "usd = -1")
    file.write_text("[everyone]\nweb = 3")
    with pytest.raises(PolicyError):
        PolicyWatch().in_force()  # the first one has to be right
    file.unlink()
    assert watch.in_force() is not None
    assert "is gone" in watch.problem


def test_a_file_that_is_named_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_policy() is None
    monkeypatch.setenv("BACKTRAIL_POLICY_FILE", str(tmp_path / "none.toml"))
    with pytest.raises(PolicyError, match="does not exist"):
        read_policy()


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
