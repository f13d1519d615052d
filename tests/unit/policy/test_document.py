"""The file of the policy: what can be used, and in which words the rest is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from backtrail.tools.access.policy.allowed import allowed
from backtrail.tools.access.policy.errors import PolicyError
from backtrail.tools.access.policy.file import PolicyWatch, parse_policy, policy_file, read_policy

WHOLE = """
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
defaults = { corpus = "handbook" }

[groups.research]
members = ["anna", "bert"]
web = true
[groups.research.quota]
usd = 50

[keys.anna.most]
usd = 2.0

[assistants.helpdesk]
method = "fif"
description = "Answers from the handbook."
for = ["research"]
changeable = ["k"]
[assistants.helpdesk.settings]
corpus = "handbook"
budget.steps = 5
"""


def test_a_key_stands_over_its_group_and_the_group_over_everyone() -> None:
    policy = parse_policy(WHOLE, Path("policy.toml"))
    anna, carl = (allowed(policy, name, closed=True) for name in ("anna", "carl"))
    assert (anna.group, anna.web, anna.most.usd, anna.most.steps, anna.quota.usd, anna.quota.runs) == (
        "research", True, 2.0, 12, 50, 100,
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
