"""The environment of local models."""

import pytest

from backtrail.tools.errors import SettingsError
from backtrail.tools.local.options import LocalOptions, local_options


def test_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("DEVICE", "cuda:1"), ("DTYPE", "bfloat16"), ("BATCH", "2"), ("TOKENS", "64"), ("PREFIX", "0")):
        monkeypatch.setenv(f"BACKTRAIL_LOCAL_{name}", value)
    assert local_options() == LocalOptions("cuda:1", "bfloat16", 2, 64, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEVICE", "cuda:x"),
        ("DTYPE", "int4"),
        ("BATCH", "0"),
        ("TOKENS", "many"),
        ("PREFIX", "-1"),
    ],
)
def test_what_cannot_be_used_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BACKTRAIL_LOCAL_{name}", value)
    with pytest.raises(SettingsError, match=f"BACKTRAIL_LOCAL_{name}='{value}'"):
        local_options()
