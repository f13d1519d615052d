"""A server on loopback that nobody should contact."""

from __future__ import annotations

import socket
import threading


class Listener:
    """Counts whoever connects. Used as a context manager."""

    def __init__(self) -> None:
        self.contacts = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.contacts += 1
            connection.close()
