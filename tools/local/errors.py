"""Errors of local models. Each names the folder or value that was wrong and what to do about it.

LocalModelError               (a ModelRejected: another try cannot help)
├── CheckpointMissing         the folder, or a file it needs, is not there
├── CheckpointUnsupported     an architecture, file format or template that cannot be used; code of its own
├── CheckpointBroken          files that are there and cannot be read
├── RequestUnsuitable         one request that this model cannot take: too long, pictures, too large for the memory
└── LocalModelFailed         a library crashed at a request, or the model was closed before the reply ended
"""

from __future__ import annotations

from backtrail.tools.errors import ModelRejected


class LocalModelError(ModelRejected):
    """A local model that cannot be opened or used."""


class CheckpointMissing(LocalModelError):
    """The checkpoint's folder, or a file that it needs, is absent."""


class CheckpointUnsupported(LocalModelError):
    """The checkpoint is of a kind that is not run here; the message names what it asks for."""


class CheckpointBroken(LocalModelError):
    """A file of the checkpoint cannot be read, or does not fit the others."""


class RequestUnsuitable(LocalModelError):
    """The model is well, this request does not suit it."""


class LocalModelFailed(LocalModelError):
    """No reply: a library crashed at this request (the cause), or the model was closed."""
