"""What MyST writes as ``text <target>``: roles, and entries of a table of contents."""

from __future__ import annotations


def text_and_target(content: str) -> tuple[str, str]:
    """The two parts; what is written otherwise is both. A pattern would look through long white space in all ways."""
    text, sign, target = content.removesuffix(">").rpartition("<")
    return (text.rstrip(), target) if sign and content.endswith(">") and ">" not in target else (content, content)
