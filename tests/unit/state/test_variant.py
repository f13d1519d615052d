import pytest
from pydantic import ValidationError

from backtrail.state.settings import Settings
from backtrail.state.variant import VARIANTS, from_label, label


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_label_names_method_and_variant(variant: str) -> None:
    method, named = from_label(label("fif", variant))  # type: ignore[arg-type]
    assert (method, named or "ours") == ("fif", variant)
    assert (label("fif", "ours"), from_label("fif")) == ("fif", ("fif", None))  # the default needs no naming


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'fif:papers' names no variant of 'fif'; there are ours and published"):
        from_label("fif:papers")
    with pytest.raises(ValidationError, match="'ours' or 'published'"):
        Settings.model_validate({"variant": "papers"})
