"""Where everything a user owns lives: ``$BACKTRAIL_HOME``, by default the platform's data folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from backtrail.tools.errors import SettingsError

_HOME, _OF_THE_USER = "BACKTRAIL_HOME", "BACKTRAIL_HOME_OF_THE_USER"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


def home() -> Path:
    """The folder of this user's corpora, checkpoints, cache, results and settings file."""
    configured = os.environ.get(_HOME)
    return Path(configured).expanduser() if configured else Path(platformdirs.user_data_dir("backtrail"))


@contextmanager
def home_of_samples() -> Iterator[Path]:
    """A home within the user's for what is only tried out, as long as the block lasts: corpora, runs and results of
    samples do not lie among the user's own. Settings and what is built once stay the user's."""
    before, of_the_user = os.environ.get(_HOME), home()
    os.environ[_HOME], os.environ[_OF_THE_USER] = str(of_the_user / "samples"), str(of_the_user)
    try:
        yield home()
    finally:
        del os.environ[_OF_THE_USER]
        if before is None:
            del os.environ[_HOME]
        else:
            os.environ[_HOME] = before


def _of_the_user() -> Path:
    within = os.environ.get(_OF_THE_USER)
    return Path(within) if within else home()


def corpora_folder() -> Path:
    """One subfolder per corpus."""
    return home() / "corpora"


def corpus_folder(name: str) -> Path:
    """The folder of one corpus. Names come from users and clients, so they are checked, not trusted.

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
    """What can be made again: built embedder graphs, recorded decisions."""
    return _of_the_user() / "cache"


def checkpoints_file() -> Path:
    """The SQLite file of checkpointed runs."""
    return home() / "checkpoints.sqlite"


def settings_file() -> Path:
    """Defaults of this user, in TOML."""
    return _of_the_user() / "settings.toml"
