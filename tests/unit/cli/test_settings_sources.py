from pathlib import Path

import pytest

from backtrail.cli.commands.options import settings_from
from backtrail.state.settings import Settings
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.file import load_settings, variable
from backtrail.tools.settings.keys import known_keys


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    for key in known_keys():
        monkeypatch.delenv(variable(key), raising=False)
    return tmp_path


def write(home: Path, text: str) -> None:
    (home / "settings.toml").write_text(text, encoding="utf-8")


def test_each_source_wins_over_the_weaker_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home, 'corpus = "file"\nk = 1\nplanner = "openai:file"\n[fif]\nshortlist = 1\n')
    monkeypatch.setenv("BACKTRAIL_K", "2")
    monkeypatch.setenv("BACKTRAIL_FIF_SHORTLIST", "2")
    settings = load_settings({"fif.shortlist": "3", "budget.usd": None})
    assert (settings.corpus, settings.k, settings.fif.shortlist) == ("file", 2, 3)
    assert settings.planner == "openai:file"
    assert settings.fif.components_per_hop == Settings().fif.components_per_hop


def test_no_ceiling_can_be_written() -> None:
    base = Settings.model_validate({"budget": {"usd": 1, "steps": 4}})
    assert load_settings({"budget.usd": "none"}, base=base).budget.usd is None
    assert load_settings({"budget.usd": "none"}, base=base).budget.steps == 4
    assert load_settings({"corpus": "none"}).corpus == "none", "a name where a value is needed"


def test_a_stored_run_ignores_file_and_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home, "k = 1\n")
    monkeypatch.setenv("BACKTRAIL_CORPUS", "elsewhere")
    assert load_settings({"k": "7"}, base=Settings(corpus="mine")) == Settings(corpus="mine", k=7)


def test_unknown_keys_name_the_closest_and_where_they_stand(home: Path) -> None:
    with pytest.raises(SettingsError, match=r"no setting 'fif.shortlst' \(--set\). Did you mean fif.shortlist"):
        settings_from(["fif.shortlst=3"], {})
    with pytest.raises(SettingsError, match=r"'shortlist'.*Did you mean fif.shortlist"):
        settings_from(["shortlist=3"], {})
    write(home, "[fif]\nhop = 3\n")
    with pytest.raises(SettingsError, match=r"'fif.hop' \(.*settings.toml\)"):
        load_settings()


def test_what_cannot_be_used_is_named_with_its_origin(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_K", "1000")
    with pytest.raises(SettingsError, match=r"k = '1000' \(environment\) cannot be used: .*less than or equal to 100"):
        load_settings()
    write(home, "k = ")
    with pytest.raises(SettingsError, match=r"settings.toml cannot be read as TOML"):
        load_settings()


def test_a_model_for_all_roles_and_one_role_by_name() -> None:
    settings = settings_from([], {"reader": "openai:reader"}, model="openai:all")
    assert (settings.planner, settings.reader, settings.judge) == ("openai:all", "openai:reader", "openai:all")
    settings = settings_from(["reader=offline"], {}, model="openai:all")
    assert (settings.planner, settings.reader) == ("openai:all", "offline")
