"""The root of every error that Backtrail raises on purpose. The tree is drawn in ``backtrail.tools.errors``."""


class BacktrailError(RuntimeError):
    """Says what was wrong with which value, and what to do about it.

    A RuntimeError, because the LangGraph server shows clients the sentences of Python's own kinds of errors alone;
    of others they get the name and "An internal error occurred".
    """


class InputRefused(BacktrailError, ValueError):
    """What a caller sent cannot be used: nothing was computed or stored. A ValueError too: the server answers 400."""
