"""check_picture: check that the question's picture can be read; otherwise continue without it."""

from __future__ import annotations

from io import BytesIO
from typing import NotRequired

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.failure import Failure
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open_picture import decode_picture
from backtrail.tools.errors import SettingsError
from backtrail.tools.toolbox import Toolbox


class CheckPictureSlice(TypedDict):
    """The sha256 of the question's picture, if there is one."""

    image: NotRequired[str | None]


class CheckPictureWrites(TypedDict, total=False):
    """Empty if the picture can be read or there is none."""

    image: None
    failures: list[Failure]


def check_picture(toolbox: Toolbox) -> SyncNode[CheckPictureSlice, CheckPictureWrites]:
    """Node: a picture that is missing or cannot be decoded is a recorded failure, and is removed."""

    def look_at_picture(state: CheckPictureSlice, runtime: Runtime[Settings]) -> CheckPictureWrites:
        image = state.get("image")
        if not image:
            return {}
        try:
            decode_picture(BytesIO(toolbox.question_picture(image)))
        except SettingsError as error:
            return _without_picture("PictureMissing", str(error))
        except ValueError as error:
            return _without_picture("PictureUnreadable", f"The question's picture cannot be read: {error}.")
        return {}

    return look_at_picture


def _without_picture(error: str, message: str) -> CheckPictureWrites:
    text = f"{message} The question is answered without it."[:500]
    failure: Failure = {
        "id": "check_picture@0", "node": "check_picture", "step": 0, "error": error, "message": text
    }  # fmt: skip
    return {"image": None, "failures": [failure]}
