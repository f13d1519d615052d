"""A site as its configuration describes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Site:
    """What one site of an ingested folder says of itself.

    Attributes:
        folder: where its configuration lies, relative to the ingested folder; "" for that folder.
        base_url: the public address of the site's root, with a slash at its end; "" if it is not given.
    """

    folder: str = ""
    base_url: str = ""
