"""Clients of Chroma are opened and closed at any time."""

from __future__ import annotations

from pathlib import Path

import chromadb
import pytest

from backtrail.tools.vector_stores import chroma


def test_a_client_may_be_closed_while_another_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection closes clients whenever it runs, also in the thread that opens one."""
    first = chroma._open_client(tmp_path / "first")
    opening = chromadb.PersistentClient

    def collected_meanwhile(*given: object, **named: object) -> object:
        chroma._close_client(first)
        return opening(*given, **named)

    monkeypatch.setattr(chromadb, "PersistentClient", collected_meanwhile)
    chroma._close_client(chroma._open_client(tmp_path / "second"))
