"""Errors of embedders. Each names the wrong value and what to do about it.

EmbedderError
├── EmbedderUnknown           an unknown name; lists the existing ones
├── EmbedderWeightsMissing    a folder or file of the checkpoint is missing
├── EmbedderWeightsMismatch   the weights are not those of the name
├── EmbedderWeightsUnavailable  weights could not be downloaded or read from a file
├── EmbedderUnsupported       a checkpoint with a module, pooling or architecture that is not implemented
├── EmbedderAnswerInvalid     a server replied with the wrong number of vectors or of dimensions
├── EmbedderUnavailable       transient (also a ModelUnavailable): time-out, connection, 429, 5xx
└── EmbedderRejected          permanent (also a ModelRejected): 400, 401, 403, 404, quota spent
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError, ModelRejected, ModelUnavailable


class EmbedderError(BacktrailError):
    """An embedder cannot be opened or used."""


class EmbedderUnknown(EmbedderError):
    """No embedder has this name."""


class EmbedderWeightsMissing(EmbedderError):
    """A folder, file or tensor that the checkpoint needs is absent."""


class EmbedderWeightsMismatch(EmbedderError):
    """The sha256 of the weights differs from the published one."""


class EmbedderWeightsUnavailable(EmbedderError):
    """An address or file of weights cannot be read."""


class EmbedderUnsupported(EmbedderError):
    """The checkpoint needs something that is not implemented; the message names it."""


class EmbedderAnswerInvalid(EmbedderError):
    """An embedding server's answer does not fit the request."""


class EmbedderUnavailable(EmbedderError, ModelUnavailable):
    """An embedding server could not be reached or is over its limits; another try may help.

    Attributes:
        overrun: the server works and is overloaded (429): it will answer the same request later.
    """

    overrun = False


class EmbedderRejected(EmbedderError, ModelRejected):
    """An embedding server rejected the request; another try cannot help."""
