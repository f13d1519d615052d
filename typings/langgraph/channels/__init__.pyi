from collections.abc import Sequence
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")

class EphemeralValue(Generic[Value]):
    key: str
    def __init__(self, typ: Any, guard: bool = True) -> None: ...
    def update(self, values: Sequence[Value]) -> bool: ...
