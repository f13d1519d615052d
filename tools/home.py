"""Paths of the home folder: ``$BACKTRAIL_HOME``, by default the platform's data folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from backtrail.tools.errors import SettingsError

_HOME, _USER_HOME = "BACKTRAIL_HOME", "BACKTRAIL_HOME_OF_THE_USER"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


def home() -> Path:
    """The folder of this user's corpora, checkpoints, cache, results and settings file."""
    configured = os.environ.get(_HOME)
    return Path(configured).expanduser() if configured else Path(platformdirs.user_data_dir("backtrail"))


@contextmanager
def home_of_samples() -> Iterator[Path]:
    """Use the subfolder ``samples`` as home within the block, to keep trial data apart from the user's.

    Settings and cache stay the user's."""
    before, user_home = os.environ.get(_HOME), home()
    os.environ[_HOME], os.environ[_USER_HOME] = str(user_home / "samples"), str(user_home)
    try:
        yield home()
    finally:
        del os.environ[_USER_HOME]
        if before is None:
            del os.environ[_HOME]
        else:
            os.environ[_HOME] = before


def _user_home() -> Path:
    within = os.environ.get(_USER_HOME)
    return Path(within) if within else home()


def corpora_folder() -> Path:
    """The folder with one subfolder per corpus."""
    return home() / "corpora"


def corpus_folder(name: str) -> Path:
    """The folder of one corpus. The name is checked, because it may come from a client.

    Raises:
        SettingsError: the name could leave the corpora folder or upset a file system.
    """
    if not _NAME.fullmatch(name) or ".." in name:
        raise SettingsError(
            f"{name!r} cannot name a corpus. Use 1 to 63 letters, digits, '.', '_' or '-', "
            "starting with a letter or digit."
        )
    return corpora_folder() / name


def cache_folder() -> Path:
    """The folder of what can be rebuilt: compiled embedder graphs, recorded decisions."""
    return _user_home() / "cache"


def checkpoints_file() -> Path:
    """The SQLite file of checkpointed runs."""
    return home() / "checkpoints.sqlite"


def settings_file() -> Path:
    """The TOML file of the user's default settings."""
    return _user_home() / "settings.toml"
