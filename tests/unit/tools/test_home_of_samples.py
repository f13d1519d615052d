"""What is only tried out lies apart from what is the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from backtrail.tools.home import cache_folder, corpora_folder, home, home_of_samples, settings_file


@pytest.mark.parametrize("configured", [True, False])
def test_a_home_within_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, configured: bool) -> None:
    if configured:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    else:
        monkeypatch.delenv("BACKTRAIL_HOME")
        monkeypatch.setattr("platformdirs.user_data_dir", lambda _: str(tmp_path))
    with home_of_samples() as apart:
        assert apart == home() == tmp_path / "samples"
        assert corpora_folder() == tmp_path / "samples" / "corpora"
        assert (cache_folder(), settings_file()) == (tmp_path / "cache", tmp_path / "settings.toml")
    assert (home(), corpora_folder()) == (tmp_path, tmp_path / "corpora")
    with pytest.raises(KeyError), home_of_samples():
        raise KeyError
    assert home() == tmp_path
