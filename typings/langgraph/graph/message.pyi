from typing import Any

from langchain_core.messages import AnyMessage

def add_messages(left: Any, right: Any) -> list[AnyMessage]: ...
