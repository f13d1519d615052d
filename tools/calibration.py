"""The calibration of reading by rules that is in use: one made at home, else the packaged one."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from backtrail.rules.reader.calibration import Calibration, packaged
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import home

MOST_BYTES = 64 * 1024


def calibration_file() -> Path:
    """Where ``backtrail calibrate`` keeps what it made."""
    return home() / "calibration.json"


def calibration_in_use() -> Calibration:
    """Read home's calibration, else the packaged one. Blocking.

    Raises:
        SettingsError: home's cannot be used; the message says how to be rid of it.
    """
    file = calibration_file()
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return packaged()
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}.") from error
    try:
        if len(text) > MOST_BYTES:
            raise ValueError(f"it is longer than {MOST_BYTES:,} bytes")
        return Calibration.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors()[0]["msg"].removeprefix("Value error, ")
    except ValueError as error:
        problem = str(error)
    raise SettingsError(
        f"{file} is no calibration that can be used: {problem}. "
        "Make it anew with `backtrail calibrate`, or delete it to use the packaged one."
    )


def keep_calibration(calibration: Calibration) -> Path:
    """Write a calibration to home, from where it is used; whole or not at all."""
    file = calibration_file()
    write_atomically(file, calibration.model_dump_json(indent=2) + "\n")
    return file
