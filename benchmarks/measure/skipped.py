"""A part of the measurement that cannot be measured on this machine."""

from __future__ import annotations


class Skipped(Exception):
    """Raised with the reason and what to do; the other parts are still measured."""
