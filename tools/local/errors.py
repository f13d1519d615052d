"""Errors of local models. Each names the wrong folder or value and what to do about it.

LocalModelError               (a ModelRejected: another try cannot help)
├── CheckpointMissing         the folder, or a file it needs, is missing
├── CheckpointUnsupported     an unsupported architecture, file format or template, or a checkpoint with its own code
├── CheckpointBroken          files that cannot be read
├── RequestUnsuitable         a request that this model does not accept: too long, pictures, too large for the memory
└── LocalModelFailed          a library crashed at a request, or the model was closed before the reply ended
"""

from __future__ import annotations

from backtrail.tools.errors import ModelRejected


class LocalModelError(ModelRejected):
    """A local model cannot be opened or used."""


class CheckpointMissing(LocalModelError):
    """The checkpoint's folder, or a file that it needs, is absent."""


class CheckpointUnsupported(LocalModelError):
    """The checkpoint is of an unsupported kind; the message names what it needs."""


class CheckpointBroken(LocalModelError):
    """A file of the checkpoint cannot be read, or does not fit the others."""


class RequestUnsuitable(LocalModelError):
    """The model works, but does not accept this request."""


class LocalModelFailed(LocalModelError):
    """No reply: a library crashed at this request (the cause), or the model was closed."""
