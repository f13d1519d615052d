"""Errors of scoring by likelihood."""

from __future__ import annotations

from backtrail.tools.errors import ModelRejected


class LikelihoodUnavailable(ModelRejected):
    """The server supports none of our ways to get likelihoods of given texts; the message has its replies."""
