"""Azurite, the stand-in for Azure's blobs: the program itself, on a free port, with a folder that outlasts a stop."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""Known to everybody: every Azurite has it."""


def azurite_program() -> str | None:
    """Where ``azurite-blob`` is: what BACKTRAIL_TEST_AZURITE names, or on the PATH."""
    return os.environ.get("BACKTRAIL_TEST_AZURITE") or shutil.which("azurite-blob")


class Azurite:
    """A server that can be stopped and started. It keeps its port, and what it holds."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT,
            "AZURE_STORAGE_USE_EMULATOR": "true",
            "AZURITE_BLOB_STORAGE_URL": f"http://127.0.0.1:{self.port}",
        }

    def start(self) -> None:
        """Start it, and wait until it listens."""
        place = ["--location", str(self._folder), "--blobHost", "127.0.0.1", "--blobPort", str(self.port)]
        quiet = ["--silent", "--skipApiVersionCheck", "--disableTelemetry"]
        self._process = subprocess.Popen(
            [self._program, *place, *quiet], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(1_200):
            if self._process.poll() is not None:
                raise RuntimeError(f"{self._program} ended with {self._process.returncode}")
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise RuntimeError(f"{self._program} does not listen on port {self.port}")

    def stop(self) -> None:
        """Stop it; what it holds is on its disk then."""
        self._process.terminate()
        self._process.wait(30)

    def _files(self) -> Any:
        from pyarrow.fs import AzureFileSystem

        at = f"127.0.0.1:{self.port}"
        return AzureFileSystem(
            ACCOUNT, account_key=KEY, blob_storage_authority=at, dfs_storage_authority=at,
            blob_storage_scheme="http", dfs_storage_scheme="http",
        )  # fmt: skip

    def make(self, container: str) -> None:
        """Make a container, which no client of a store does."""
        self._files().create_dir(container)

    def objects(self, container: str) -> dict[str, bytes]:
        from pyarrow.fs import FileSelector, FileType

        held = self._files()
        found = held.get_file_info(FileSelector(container, recursive=True))
        return {one.path: held.open_input_file(one.path).readall() for one in found if one.type == FileType.File}


@contextmanager
def running_azurite(program: str, folder: Path) -> Iterator[Azurite]:
    server = Azurite(program, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
