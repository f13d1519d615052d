"""Errors of scoring by likelihood."""

from __future__ import annotations

from backtrail.tools.errors import ModelRejected


class LikelihoodUnavailable(ModelRejected):
    """The server does not say how likely given texts are, in any way that is known; the message names what it said."""
